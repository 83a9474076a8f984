import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { EventMessage } from '@melmastoon/events'
import { lockCredentialFailed, workOrderCreated } from '@melmastoon/platform-events'
import { causeOfEvent } from '../../event-causes.ts'
import type { ModuleHost } from '../../module.ts'
import { raiseIn } from './raise-alert.ts'

/** Alerts that follow from events of other services; repeated events raise no second one. */
export function alertHandlers({
  registry,
  config,
}: Pick<ModuleHost, 'registry' | 'config'>): readonly EventHandler[] {
  const by = (event: EventMessage) => ({ registry, cause: causeOfEvent(event, config.instance) })
  return [
    on(workOrderCreated, {
      scope: 'tenant',
      async handle(tx, { tenantId, propertyId, workOrderId, severity, category }, event) {
        if (severity !== 'critical') return
        const content = {
          propertyId,
          category: 'maintenance_critical' as const,
          severity: 'critical' as const,
          title: { key: 'alerts.maintenance_critical', params: { workOrderId, category } },
          audience: ['maintenance' as const, 'general_manager' as const],
          resourceKind: 'work_order' as const,
          resourceId: workOrderId,
          deduplicationKey: `work_order:${workOrderId}`,
        }
        await raiseIn(tx, { tenantId, content }, by(event))
      },
    }),
    on(lockCredentialFailed, {
      scope: 'tenant',
      async handle(tx, { tenantId, propertyId, keyId, reservationId, failureReason }, event) {
        const reason = failureReason ?? 'unknown'
        const content = {
          propertyId,
          category: 'lock_failed' as const,
          severity: 'warning' as const,
          title: { key: 'alerts.lock_failed', params: { reservationId, reason } },
          audience: ['front_desk' as const, 'general_manager' as const],
          resourceKind: 'key' as const,
          resourceId: keyId,
          deduplicationKey: `key:${keyId}`,
        }
        await raiseIn(tx, { tenantId, content }, by(event))
      },
    }),
  ]
}
