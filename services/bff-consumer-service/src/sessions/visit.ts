/** What a request tells of its sender, as plain values. Hashed before anything of it is kept. */
export interface Visit {
  readonly address: string
  readonly userAgent: string
  readonly acceptLanguage: string | undefined
  /** `X-Currency`. */
  readonly currency: string | undefined
  /** ISO 3166, as the load balancer has it. */
  readonly country: string | undefined
  readonly campaign: {
    readonly source: string | undefined
    readonly medium: string | undefined
    readonly campaign: string | undefined
  }
  /** Do-Not-Track or Global Privacy Control (D13). */
  readonly declinesTelemetry: boolean
}
