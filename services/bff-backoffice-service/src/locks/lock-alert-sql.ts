import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid, type PropertyId, type ReservationId, type TenantId } from '@melmastoon/domain'
import type { LockActionId } from './lock-action.ts'
import { LOCKS_TOPIC } from './lock-action-sql.ts'

/**
 * `unknown`: an outcome is not known for half an hour. `duplicate`: the vendor has created a key
 * twice. `contradiction`: the vendor withdrew what it had reported. `room_change`: the guest has
 * moved, but the keys have not.
 */
export type LockAlertKind = 'unknown' | 'duplicate' | 'contradiction' | 'room_change'

export interface LockAlert {
  readonly tenantId: TenantId
  /** Of an action, or the id of a follow-up. */
  readonly subjectId: string
  readonly kind: LockAlertKind
  readonly propertyId: PropertyId
  readonly reservationId: ReservationId
}

export function insertAlert(alert: LockAlert): Statement<unknown> {
  return sql`insert into lock_alert (tenant_id, action_id, kind, property_id, reservation_id)
    values (${idToUuid(alert.tenantId)}::uuid, ${alert.subjectId}::uuid, ${alert.kind},
      ${idToUuid(alert.propertyId)}::uuid, ${alert.reservationId})
    on conflict do nothing`.announcing(LOCKS_TOPIC)
}

export interface LockAlertRow {
  readonly tenant_id: string
  readonly action_id: string
  readonly kind: LockAlertKind
  readonly property_id: string
  readonly reservation_id: ReservationId
}

/** Of all tenants in turn: the alerts of one do not delay those of the others. */
export function selectDueAlerts(limit: number): Statement<LockAlertRow> {
  return sql<LockAlertRow>`select tenant_id, action_id, kind, property_id, reservation_id
    from lock_alert where raised_at is null and next_at <= now()
    order by row_number() over (partition by tenant_id order by next_at), next_at limit ${limit}`
}

/** None: another process has taken it. If this attempt fails, the next one is later. */
export function claimAlert({ action_id, kind }: LockAlertRow): Statement<{ tries: number }> {
  return sql<{ tries: number }>`update lock_alert set tries = tries + 1,
      next_at = now() + least(10 * 2 ^ least(tries, 16), 300) * interval '1 second'
    where action_id = ${action_id}::uuid and kind = ${kind} and raised_at is null
      and next_at <= now()
    returning tries`
}

export function markRaised({ action_id, kind }: LockAlertRow): Statement<unknown> {
  return sql`update lock_alert set raised_at = now()
    where action_id = ${action_id}::uuid and kind = ${kind}`
}

export const subjectOf = (actionId: LockActionId): string => idToUuid(actionId)
