import type { PerGuestQueue } from '@melmastoon/chassis/concurrency'
import type { TelemetryBatcher } from '@melmastoon/chassis/outbox'

export interface DiscardDeps {
  readonly telemetry: Pick<TelemetryBatcher, 'discard'>
  readonly guestQueue: Pick<PerGuestQueue, 'runNowOrQueue'>
}

/**
 * Discards the events of a guest that wait in this process, in the batch and in the guest's queue.
 * Other processes are notified with the change of the session; what they have batched by then was
 * caused with consent and is written within milliseconds.
 */
export function discardPendingTelemetry(deps: DiscardDeps, sessionId: string): void {
  const discard = () => deps.telemetry.discard(({ envelope }) => envelope.sessionId === sessionId)
  discard()
  deps.guestQueue.runNowOrQueue(sessionId, discard)
}
