import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import {
  type BookingSessionId,
  type DraftId,
  type HandoffArrivalId,
  type HandoffId,
  idToUuid,
  type TenantId,
} from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { VerifiedHandoff } from '@melmastoon/security'
import type { HandoffPayload } from './handoff-payload.ts'

export interface ArrivalRow {
  readonly id: HandoffArrivalId
  readonly tenantId: TenantId
  readonly sessionId: BookingSessionId
  readonly handoff: VerifiedHandoff
  readonly payload: HandoffPayload
  readonly consumedAt: Date
  readonly remoteIpHash: string
  readonly userAgentClass: string
}

/**
 * One row for the first arrival of a handoff, none for all others. The event is written in the same
 * statement, so it exists exactly if the row does.
 */
export function insertArrival(row: ArrivalRow, event: OutboxEvent): Statement<{ id: string }> {
  const { handoff } = row
  return sql<{ id: string }>`
    with arrived as (
      insert into handoff_arrival_log (id, tenant_id, handoff_id, session_id, consumer_session_id,
        property_id, expires_at, consumed, consumed_at, payload, hmac_signature_fingerprint,
        signing_key_id, remote_ip_hash, user_agent_class)
      values (${row.id}, ${idToUuid(row.tenantId)}::uuid, ${handoff.id}, ${row.sessionId},
        ${handoff.guestSessionId}, ${handoff.propertyId}, ${handoff.expiresAt}::timestamptz, true,
        ${row.consumedAt}::timestamptz, ${JSON.stringify(row.payload)}::jsonb,
        ${handoff.signatureFingerprint}, ${handoff.keyId}, ${row.remoteIpHash},
        ${row.userAgentClass})
      on conflict (tenant_id, handoff_id) do nothing
      returning id
    ), published as (
      ${appendEventsFragment([event], { onlyIf: sql`exists (select from arrived)` })}
    )
    select id from arrived`
}

/** The arrival that was first. */
export interface FirstArrival {
  readonly id: HandoffArrivalId
  readonly session_id: string
  readonly consumed_at: Date
  /** Whether its session may still present the token again, by the database's clock. */
  readonly is_repeatable: boolean
}

/** A separate statement: that of the insert does not see a row committed while it waited. */
export function selectFirstArrival(
  handoffId: HandoffId,
  repeatableMs: number,
): Statement<FirstArrival> {
  return sql<FirstArrival>`
    select id, session_id, consumed_at,
      now() <= received_at + ${repeatableMs} * interval '1 millisecond' as is_repeatable
    from handoff_arrival_log where handoff_id = ${handoffId}`
}

/** A row if this session has arrived so. */
export function selectOwnArrival(
  id: HandoffArrivalId,
  sessionId: BookingSessionId,
): Statement<{ id: string }> {
  return sql<{ id: string }>`select id from handoff_arrival_log
    where id = ${id} and session_id = ${sessionId}`
}

/** Notes the first booking that an arrival led to. */
export function linkArrival(
  { id, draftId }: { readonly id: HandoffArrivalId; readonly draftId: DraftId },
  onlyIf: SqlFragment,
): SqlFragment {
  return sql`update handoff_arrival_log set booking_draft_id = ${draftId}
    where id = ${id} and booking_draft_id is null and ${onlyIf}`
}
