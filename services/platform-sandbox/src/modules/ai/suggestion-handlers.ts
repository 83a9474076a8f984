import { systemClock } from '@melmastoon/chassis/clock'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { type Id, newId } from '@melmastoon/domain'
import { workOrderCreated } from '@melmastoon/platform-events'
import { causeOfEvent } from '../../event-causes.ts'
import type { AiHost } from './ai-host.ts'
import { buildSuggestion } from './build-suggestion.ts'
import { propose } from './propose-suggestions.ts'
import type { Draft } from './rules.ts'

/** A work order that blocks a room is suggested a higher priority. */
export function suggestionHandlers({
  registry,
  config,
}: Pick<AiHost, 'registry' | 'config'>): readonly EventHandler[] {
  return [
    on(workOrderCreated, {
      scope: 'tenant',
      async handle(tx, order, event) {
        const { tenantId, propertyId, workOrderId, severity } = order
        if (!order.blocksRoom || (severity !== 'low' && severity !== 'normal')) return
        const row = buildSuggestion(priorityDraft(workOrderId, severity), {
          tenantId,
          propertyId,
          suggestionId: newId('sug'),
          input: order,
          snapshotId: event.envelope.eventId,
          generatedAt: systemClock.now(),
          period: 'work_order',
        })
        await propose(tx, [row], { registry, cause: causeOfEvent(event, config.instance) })
      },
    }),
  ]
}

function priorityDraft(workOrderId: Id<'mnt'>, currentPriority: 'low' | 'normal'): Draft {
  return {
    capability: 'maintenance.prioritize',
    severity: 'warning',
    title: { key: 'suggestions.maintenance_priority', params: { workOrderId } },
    resourceKind: 'work_order',
    resourceId: workOrderId,
    proposal: {
      kind: 'maintenance_priority',
      workOrderId,
      currentPriority,
      proposedPriority: 'high',
    },
    confidence: 0.8,
    validDays: 2,
    key: workOrderId,
  }
}
