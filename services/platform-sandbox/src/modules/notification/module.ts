import { notificationContract } from '@melmastoon/upstream-contracts/notification'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { acknowledgeAlert } from './acknowledge-alert.ts'
import type { NotificationOperations, StoredAlert } from './alert.ts'
import { alertHandlers } from './alert-handlers.ts'
import type { NotificationSiblings } from './notification-host.ts'
import { raiseAlert } from './raise-alert.ts'
import { listAlerts, readAlert, recentAlerts } from './read-alerts.ts'

export { ALERT_CHANGED_SCENARIO } from './acknowledge-alert.ts'
export type { StoredAlert } from './alert.ts'
export { DEMO_CATEGORIES, demoAlert } from './demo-alerts.ts'

const RECENT_ROWS = 20

export interface NotificationModule extends ServedModule<NotificationOperations> {
  /** Of all tenants, newest first. */
  recentAlerts(): Promise<StoredAlert[]>
}

/** Alerts for the staff of a hotel, acknowledged by each operator separately. */
export function createNotificationModule(
  moduleHost: ModuleHost,
  siblings: NotificationSiblings,
): NotificationModule {
  const { db, relayDb, registry } = moduleHost
  const host = { db, registry, ...siblings }
  return {
    contract: notificationContract,
    recentAlerts: () => recentAlerts(relayDb, RECENT_ROWS),
    subscriptions: alertHandlers(moduleHost),
    handlers: {
      listAlerts: (input, { tenantId }) => listAlerts(host, input, tenantId),
      getAlert: ({ params }, { tenantId }) => readAlert(db, tenantId, params.alertId),
      raise: (input, call) => raiseAlert(host, input, call),
      acknowledge: (input, call) => acknowledgeAlert(host, input, call),
    },
  }
}
