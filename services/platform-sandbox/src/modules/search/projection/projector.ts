import { systemClock } from '@melmastoon/chassis/clock'
import type { RequestId } from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'
import type { ModuleHost } from '../../../module.ts'
import type { IndexUpdater } from '../index/index-updater.ts'
import type { SearchSources } from '../search-sources.ts'

/** What the event handlers depend on. */
export interface Projector {
  readonly host: ModuleHost
  readonly sources: SearchSources
  readonly updater: IndexUpdater
}

/** The cause of events that result from another event. */
export function causeOfEvent({ envelope }: EventMessage, { host }: Projector): EventContext {
  return {
    producerInstance: host.config.instance,
    tenantId: envelope.tenantId,
    requestId: envelope.requestId as RequestId,
    traceparent: envelope.traceId,
    occurredAt: systemClock.now(),
    causationId: envelope.eventId,
    correlationId: envelope.correlationId,
  }
}
