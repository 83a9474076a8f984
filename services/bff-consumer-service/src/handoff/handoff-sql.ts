import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { type HandoffArrivalId, type HandoffId, idToUuid, type TenantId } from '@melmastoon/domain'
import type { HandoffCampaign, HandoffFields, HandoffTimes } from '@melmastoon/security'

export interface HandoffRow extends HandoffFields, HandoffTimes {
  readonly signatureFingerprint: string
  /** Of the guest's device, for the penalty when the link is used twice. */
  readonly fingerprintHash: string
}

/** Part of one statement: it writes only if the claim of the same statement succeeded. */
export function insertHandoff(row: HandoffRow): SqlFragment {
  return sql`
    insert into handoff_replay_log (handoff_id, guest_session_id, target_tenant_id, property_id,
      check_in, check_out, adults, children, rooms, children_ages, currency, locale,
      source_campaign, hmac_key_id, signature_fingerprint, fingerprint_hash, minted_at, expires_at)
    select ${idToUuid(row.id)}::uuid, ${idToUuid(row.guestSessionId)}::uuid,
      ${idToUuid(row.tenantId)}::uuid, ${idToUuid(row.propertyId)}::uuid,
      ${row.checkIn}::date, ${row.checkOut}::date, ${row.adults}::smallint,
      ${row.children}::smallint, ${row.rooms}::smallint, ${row.childrenAges}::smallint[],
      ${row.currency}, ${row.locale}, ${campaignJson(row.campaign)}::jsonb, ${row.keyId},
      ${row.signatureFingerprint}, ${row.fingerprintHash},
      ${row.mintedAt}::timestamptz, ${row.expiresAt}::timestamptz
    from claimed returning 1`
}

/** Null without a campaign; empty names are not stored. */
function campaignJson(campaign: HandoffCampaign): string | null {
  const named = Object.entries(campaign).filter(([, text]) => text !== '')
  return named.length === 0 ? null : JSON.stringify(Object.fromEntries(named))
}

export interface TakeHandoff {
  readonly handoffId: HandoffId
  readonly tenantId: TenantId
  readonly arrivalId: HandoffArrivalId
  readonly instance: string
  readonly skewMs: number
}

/** The row after the attempt: it names the arrival that was first. */
export interface TakenHandoff {
  readonly guest_session_id: string
  readonly fingerprint_hash: string
  /** Null: it expired unused. */
  readonly arrival_id: string | null
  readonly consumed_at: Date | null
  readonly is_first: boolean
  readonly is_reported: boolean
}

/**
 * Compare and set in one statement: a caller that waited for the row's lock decides by what was
 * committed before it, never by its own snapshot. The clock is the database's.
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

/** Neither used nor expired; the two services' clocks may differ (D4). */
function isOpen(skewMs: number) {
  return sql`(not h.consumed and now() <= h.expires_at + ${skewMs} * interval '1 millisecond')`
}

export interface HandoffConsumption extends Omit<TakeHandoff, 'skewMs'> {
  readonly consumedAt: string
}

/** No effect on a handoff that is consumed already, by the same arrival or another one. */
export function recordConsumption(report: HandoffConsumption): Statement<{ handoff_id: string }> {
  return sql<{ handoff_id: string }>`
    update handoff_replay_log set consumed = true, consumed_at = ${report.consumedAt}::timestamptz,
      arrival_id = ${idToUuid(report.arrivalId)}::uuid,
      consumed_by_bff_instance = ${report.instance}
    where handoff_id = ${idToUuid(report.handoffId)}::uuid
      and target_tenant_id = ${idToUuid(report.tenantId)}::uuid and not consumed
    returning handoff_id`
}

/** One row for the first caller, none for all others: one handoff is reported once. */
export function markReplayReported(handoffId: HandoffId): Statement<{ handoff_id: string }> {
  return sql<{ handoff_id: string }>`
    update handoff_replay_log set replay_reported_at = now()
    where handoff_id = ${idToUuid(handoffId)}::uuid and replay_reported_at is null
    returning handoff_id`
}

/** An hour after its expiry a token is rejected for its age without the row. */
export function pruneHandoffs(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select handoff_id from handoff_replay_log
      where expires_at < now() - interval '1 hour'
      order by expires_at limit ${limit}::int
    ), gone as (
      delete from handoff_replay_log h using old where h.handoff_id = old.handoff_id returning 1
    )
    select count(*)::int as pruned from gone`
}
