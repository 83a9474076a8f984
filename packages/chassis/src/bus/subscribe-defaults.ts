import type { SubscribeOptions } from './event-bus.ts'

const MAX_IN_FLIGHT = 32
const ACK_DEADLINE_MS = 30_000
const MAX_DELIVERIES = 10
/** Leaves room for the other phases of a shutdown that must end within nine seconds (P13). */
const DRAIN_MS = 5_000
const BACKOFF = { minMs: 200, maxMs: 30_000 }

export function subscribeDefaults(options: SubscribeOptions) {
  return {
    maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
    ackDeadlineMs: options.ackDeadlineMs ?? ACK_DEADLINE_MS,
    maxDeliveries: options.maxDeliveries ?? MAX_DELIVERIES,
    backoff: options.backoff ?? BACKOFF,
    drainMs: DRAIN_MS,
    onError: options.onError ?? (() => undefined),
    ...(options.onDead !== undefined && { onDead: options.onDead }),
  }
}
