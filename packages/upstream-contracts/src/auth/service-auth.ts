/** Proves to an upstream which service is calling. */
export interface ServiceAuth {
  headers(): Record<string, string>
}

export interface CallingService {
  readonly service: string
}

/** Decides who is calling, or throws `UNAUTHENTICATED`. */
export interface ServiceVerifier {
  verify(headers: Record<string, string | string[] | undefined>): Promise<CallingService>
}
