import { type Statement, sql } from '@melmastoon/chassis/db'
import { type HandoffArrivalId, type HandoffId, idToUuid, type TenantId } from '@melmastoon/domain'

export interface TakeHandoff {
  readonly handoffId: HandoffId
  readonly tenantId: TenantId
  readonly arrivalId: HandoffArrivalId
  readonly instance: string
  readonly skewMs: number
}

/** The row after the attempt. Whose arrival it names is who was first. */
export interface TakenHandoff {
  readonly guest_session_id: string
  readonly fingerprint_hash: string
  /** Null: nobody came before it was over. */
  readonly arrival_id: string | null
  readonly consumed_at: Date | null
  readonly is_first: boolean
  readonly is_reported: boolean
}

/**
 * Compare and set in one statement: those who wait for the row's lock decide by what the one before
 * them has written, never by what they saw when they came. The clock is the database's.
 */
export function takeHandoff(take: TakeHandoff): Statement<TakenHandoff> {
  const arrival = idToUuid(take.arrivalId)
  return sql<TakenHandoff>`
    update handoff_replay_log h set
      consumed = h.consumed or ${isOpen(take.skewMs)},
      consumed_at = case when ${isOpen(take.skewMs)} then now() else h.consumed_at end,
      arrival_id = case when ${isOpen(take.skewMs)} then ${arrival}::uuid else h.arrival_id end,
      consumed_by_bff_instance = case when ${isOpen(take.skewMs)} then ${take.instance}
        else h.consumed_by_bff_instance end,
      replay_attempts = h.replay_attempts
        + case when h.arrival_id <> ${arrival}::uuid then 1 else 0 end
    where h.handoff_id = ${idToUuid(take.handoffId)}::uuid
      and h.target_tenant_id = ${idToUuid(take.tenantId)}::uuid
    returning h.guest_session_id, h.fingerprint_hash, h.arrival_id, h.consumed_at,
      h.consumed_at is not distinct from now() as is_first,
      h.replay_reported_at is not null as is_reported`
}

/** Neither used nor over; the two services' clocks may differ (D4). */
function isOpen(skewMs: number) {
  return sql`(not h.consumed and now() <= h.expires_at + ${skewMs} * interval '1 millisecond')`
}
