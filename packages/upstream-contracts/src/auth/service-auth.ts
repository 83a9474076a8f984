/** Proves to an upstream which service is calling. */
export interface ServiceAuth extends Disposable {
  /** Resolves once credentials are available; awaited before the first call. */
  readonly ready: () => Promise<void>
  /** Never waits. */
  readonly headers: () => Record<string, string>
}

export interface CallingService {
  readonly service: string
}

/** Identifies the calling service, or throws `UNAUTHENTICATED`. */
export interface ServiceVerifier {
  verify(headers: Record<string, string | string[] | undefined>): Promise<CallingService>
}
