import type { SubscribeOptions } from './event-bus.ts'

const IN_FLIGHT_MAX = 32
const ACK_DEADLINE_MS = 30_000
const DELIVERIES_MAX = 10
/** Leaves time for the other phases of a shutdown that must end within nine seconds (P13). */
const DRAIN_MS = 5_000
const BACKOFF = { minMs: 200, maxMs: 30_000 }

/** D32. */
export const deadLetterName = (subscription: string, subject: string) =>
  `${subscription}-dlq.${subject}`

export function subscribeDefaults(options: SubscribeOptions) {
  return {
    deadLetterName:
      options.deadLetterName ??
      ((subject: string) => deadLetterName(options.subscription, subject)),
    maxInFlight: options.maxInFlight ?? IN_FLIGHT_MAX,
    ackDeadlineMs: options.ackDeadlineMs ?? ACK_DEADLINE_MS,
    maxDeliveries: options.maxDeliveries ?? DELIVERIES_MAX,
    backoff: options.backoff ?? BACKOFF,
    drainMs: options.drainMs ?? DRAIN_MS,
    onError: options.onError ?? (() => undefined),
    ...(options.onDead !== undefined && { onDead: options.onDead }),
  }
}
