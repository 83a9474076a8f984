import { systemClock } from '@melmastoon/chassis/clock'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'

/** The cause of events without a request: a response that was due, or an expiry. */
export function systemCause(producerInstance: string): EventContext {
  return {
    producerInstance,
    tenantId: null,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: systemClock.now(),
  }
}
