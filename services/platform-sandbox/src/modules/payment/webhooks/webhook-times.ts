export interface WebhookTimes {
  readonly sendMs: number
  /** Longer than a delivery takes, otherwise two processes would deliver at once. */
  readonly leaseSeconds: number
  readonly pollMs: number
  readonly attemptsMax: number
  readonly backOffSeconds: number
  readonly backOffMaxSeconds: number
  readonly lateSeconds: number
  /** How much longer each earlier change waits when webhooks arrive in reverse order. */
  readonly reverseStepSeconds: number
  readonly copyDelaySeconds: number
}

/** Delays of 1, 2, 4 … seconds: the last attempt comes one to two hours later. */
export const WEBHOOK_TIMES: WebhookTimes = {
  sendMs: 5_000,
  leaseSeconds: 15,
  pollMs: 200,
  attemptsMax: 14,
  backOffSeconds: 1,
  backOffMaxSeconds: 3_600,
  lateSeconds: 20,
  reverseStepSeconds: 1,
  copyDelaySeconds: 0.3,
}
