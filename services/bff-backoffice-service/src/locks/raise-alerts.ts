import { uuidToId } from '@melmastoon/domain'
import type { AlertCategory } from '@melmastoon/upstream-contracts/notification'
import { type LockAlertKind, type LockAlertRow, markRaised } from './lock-alert-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'

const CATEGORIES: Readonly<Record<LockAlertKind, AlertCategory>> = {
  unknown: 'lock_outcome_unknown',
  duplicate: 'duplicate_key',
  contradiction: 'lock_failed',
  room_change: 'lock_failed',
}

/** At least once; the notification service keeps one open alert per key. */
export async function raiseAlert(
  { upstreams: { notification }, db }: LockDeps,
  row: LockAlertRow,
  { deadline, trace }: LockCall,
): Promise<void> {
  const tenantId = uuidToId('tnt', row.tenant_id)
  const subject = uuidToId('lap', row.action_id)
  const key = `lock.${row.kind}:${subject}`
  const body = {
    propertyId: uuidToId('ppt', row.property_id),
    category: CATEGORIES[row.kind],
    severity: 'critical' as const,
    title: {
      key: `alerts.lock.${row.kind}`,
      params: { reservationId: row.reservation_id, actionId: subject },
    },
    audience: ['front_desk' as const, 'general_manager' as const],
    resourceKind: 'reservation' as const,
    resourceId: row.reservation_id,
    deduplicationKey: key,
  }
  await notification.raise({ body }, { deadline, trace, tenantId, idempotencyKey: key })
  await db.tenantQuery(tenantId, markRaised(row), { deadline })
}
