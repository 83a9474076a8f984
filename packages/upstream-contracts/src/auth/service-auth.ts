/** Proves to an upstream which service is calling. */
export interface ServiceAuth extends Disposable {
  /** Resolves once there is something to prove it with; awaited before the first call. */
  readonly ready: () => Promise<void>
  /** Never waits. */
  readonly headers: () => Record<string, string>
}

export interface CallingService {
  readonly service: string
}

/** Decides who is calling, or throws `UNAUTHENTICATED`. */
export interface ServiceVerifier {
  verify(headers: Record<string, string | string[] | undefined>): Promise<CallingService>
}
