import type { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { uuidToId } from '@melmastoon/domain'
import type { AlertCategory } from '@melmastoon/upstream-contracts/notification'
import { isFinalRejection } from '../upstreams/final-rejection.ts'
import { claimAlert, type LockAlertKind, type LockAlertRow, markRaised } from './lock-alert-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'

const CATEGORIES: Readonly<Record<LockAlertKind, AlertCategory>> = {
  unknown: 'lock_outcome_unknown',
  duplicate: 'duplicate_key',
  contradiction: 'lock_failed',
  room_change: 'lock_failed',
}

/**
 * At least once; the notification service keeps one open alert per key. One that it rejects
 * permanently is not sent again, but reported as an error.
 */
export async function raiseAlert(
  { upstreams: { notification }, db }: LockDeps,
  row: LockAlertRow,
  { deadline, trace }: LockCall,
): Promise<void> {
  const tenantId = uuidToId('tnt', row.tenant_id)
  const [claimed] = await db.tenantQuery(tenantId, claimAlert(row), { deadline })
  if (claimed === undefined) return
  const sent = await notification
    .raise({ body: alertOf(row) }, { deadline, trace, tenantId, idempotencyKey: keyOf(row) })
    .then(() => null, rejectionOf)
  await db.tenantQuery(tenantId, markRaised(row), { deadline })
  if (sent !== null) throw sent
}

/** Any other error is thrown: the alert is sent again later. */
function rejectionOf(error: unknown): UpstreamRejection {
  if (isFinalRejection(error)) return error
  throw error
}

const subjectIdOf = ({ action_id }: LockAlertRow) => uuidToId('lap', action_id)
const keyOf = (row: LockAlertRow) => `lock.${row.kind}:${subjectIdOf(row)}`

function alertOf(row: LockAlertRow) {
  return {
    propertyId: uuidToId('ppt', row.property_id),
    category: CATEGORIES[row.kind],
    severity: 'critical' as const,
    title: {
      key: `alerts.lock.${row.kind}`,
      params: { reservationId: row.reservation_id, actionId: subjectIdOf(row) },
    },
    audience: ['front_desk' as const, 'general_manager' as const],
    resourceKind: 'reservation' as const,
    resourceId: row.reservation_id,
    deduplicationKey: keyOf(row),
  }
}
