import type { OutboxEvent } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'

/** An event that breaks its contract is our mistake: it is dropped, and costs nobody an answer. */
export function emitEvent(
  { telemetry, onError }: Pick<ConsumerContext, 'telemetry' | 'onError'>,
  build: () => OutboxEvent,
): void {
  try {
    telemetry.add(build())
  } catch (error) {
    onError(error)
  }
}
