import { systemClock } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'

/** The cause of what happens without a request: a response that was due, a time that ran out. */
export function systemCause(producerInstance: string): EventContext {
  return {
    producerInstance,
    tenantId: null,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: systemClock.now(),
  }
}
