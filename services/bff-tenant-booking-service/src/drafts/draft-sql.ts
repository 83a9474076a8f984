import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import {
  type BookingSessionId,
  type DraftId,
  type IsoDateTime,
  idToUuid,
  microToMinor,
  newId,
  type ReservationId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import { DRAFT_LIFETIME_MINUTES, type Draft, type DraftOutcome } from './draft.ts'
import type { DraftState } from './draft-states.ts'

/** A row as read by `DRAFT_COLUMNS`. */
export interface DraftRow {
  readonly tenant_id: string
  readonly id: string
  readonly session_id: string
  readonly state: DraftState
  readonly version: number
  readonly reservation_id: string
  readonly reservation_code: string
  readonly terms: Draft['terms']
  readonly changed_terms: Draft['changedTerms']
  readonly hold_expires_at: Date
  readonly hold_no: number
  readonly guest_extensions: number
  readonly service_extensions: number
  readonly guest: Buffer | null
  readonly guest_email_hash: string | null
  readonly guest_phone_hash: string | null
  readonly origin: Draft['origin']
  readonly flow_state_history: Draft['history']
  readonly error_trail: Draft['errors']
  readonly outcome: DraftOutcome | null
  readonly created_at: Date
  readonly last_activity_at: Date
  readonly expires_at: Date
}

export const DRAFT_COLUMNS = rawSql(`d.tenant_id, d.id, d.session_id, d.state, d.version,
  d.reservation_id, d.reservation_code, d.terms, d.changed_terms, d.hold_expires_at, d.hold_no,
  d.guest_extensions, d.service_extensions, d.guest, d.guest_email_hash, d.guest_phone_hash,
  d.origin, d.flow_state_history, d.error_trail, d.outcome, d.created_at, d.last_activity_at,
  d.expires_at`)

export function toDraft(row: DraftRow): Draft {
  return {
    id: uuidToId('bdr', row.id),
    tenantId: uuidToId('tnt', row.tenant_id),
    sessionId: row.session_id as BookingSessionId,
    version: row.version,
    state: row.state,
    reservationId: row.reservation_id as ReservationId,
    reservationCode: row.reservation_code,
    terms: row.terms,
    changedTerms: row.changed_terms,
    holdExpiresAt: instant(row.hold_expires_at),
    holdNo: row.hold_no,
    guestExtensions: row.guest_extensions,
    serviceExtensions: row.service_extensions,
    guest: row.guest,
    guestEmailHash: row.guest_email_hash,
    guestPhoneHash: row.guest_phone_hash,
    origin: row.origin,
    history: row.flow_state_history,
    errors: row.error_trail,
    outcome: row.outcome,
    createdAt: instant(row.created_at),
    lastActivityAt: instant(row.last_activity_at),
    expiresAt: instant(row.expires_at),
  }
}

export function selectDraftOfReservation(reservationId: ReservationId): Statement<DraftRow> {
  return sql<DraftRow>`select ${DRAFT_COLUMNS} from booking_draft d
    where d.reservation_id = ${reservationId}`
}

/** Conditions of the statement that completes an idempotent request. */
export const CLAIMED = rawSql('exists (select from claimed)')
export const EFFECTIVE = rawSql('exists (select from effect)')

/** @param onlyIf a condition of the statement it is part of, for example `CLAIMED`. */
export function insertDraft(draft: Draft, onlyIf: SqlFragment): SqlFragment {
  return sql`insert into booking_draft (tenant_id, id, session_id, state, version, reservation_id,
      reservation_code, terms, hold_expires_at, origin, flow_state_history, created_at,
      last_activity_at, expires_at)
    select ${idToUuid(draft.tenantId)}::uuid, ${idToUuid(draft.id)}::uuid, ${draft.sessionId},
      ${draft.state}, ${draft.version}::int, ${draft.reservationId}, ${draft.reservationCode},
      ${JSON.stringify(draft.terms)}::jsonb, ${draft.holdExpiresAt}::timestamptz,
      ${JSON.stringify(draft.origin)}::jsonb, ${JSON.stringify(draft.history)}::jsonb,
      ${draft.createdAt}::timestamptz, booking_now(), booking_now() + ${LIFETIME}
    where ${onlyIf} returning 1`
}

const LIFETIME = rawSql(`interval '${DRAFT_LIFETIME_MINUTES} minutes'`)

export interface SaveOptions {
  /** A condition of the statement it is part of. */
  readonly onlyIf?: SqlFragment
  /** An action of the guest: the draft lives for its full lifetime from now on. */
  readonly touches?: boolean
}

/** Writes `after` if the row still has the version of `before`: otherwise it changes no row. */
export function saveDraft(
  before: Pick<Draft, 'id' | 'version'>,
  after: Draft,
  { onlyIf = ALWAYS, touches = false }: SaveOptions = {},
): SqlFragment {
  return sql`update booking_draft d set state = ${after.state}, version = ${after.version}::int,
      reservation_id = ${after.reservationId}, reservation_code = ${after.reservationCode},
      terms = ${JSON.stringify(after.terms)}::jsonb,
      changed_terms = ${jsonOrNull(after.changedTerms)}::jsonb,
      hold_expires_at = ${after.holdExpiresAt}::timestamptz, hold_no = ${after.holdNo}::smallint,
      guest_extensions = ${after.guestExtensions}::smallint,
      service_extensions = ${after.serviceExtensions}::smallint, guest = ${after.guest}::bytea,
      guest_email_hash = ${after.guestEmailHash}, guest_phone_hash = ${after.guestPhoneHash},
      flow_state_history = ${JSON.stringify(after.history)}::jsonb,
      error_trail = ${JSON.stringify(after.errors)}::jsonb,
      outcome = ${jsonOrNull(after.outcome)}::jsonb,
      finalized_at = case when ${after.outcome !== null}::boolean then booking_now() end,
      last_activity_at = ${touches ? NOW : rawSql('d.last_activity_at')},
      expires_at = ${touches ? sql`booking_now() + ${LIFETIME}` : rawSql('d.expires_at')}
    where d.id = ${idToUuid(before.id)}::uuid and d.version = ${before.version}::int and ${onlyIf}
    returning 1`
}

const ALWAYS = rawSql('true')
const NOW = rawSql('booking_now()')

/** The consent of a guest also applies to later events of open drafts (D13). */
export function setConsentOfDrafts(
  sessionId: BookingSessionId,
  consents: boolean,
  onlyIf: SqlFragment,
): SqlFragment {
  return sql`update booking_draft d
    set origin = jsonb_set(d.origin, '{consentTelemetry}', to_jsonb(${consents}::boolean))
    where d.session_id = ${sessionId} and d.finalized_at is null and ${onlyIf}`
}

/** With its events; an outdated draft changes nothing. */
export function saveDraftWithEvents(
  before: Pick<Draft, 'id' | 'version'>,
  after: Draft,
  events: readonly OutboxEvent[],
): Statement<unknown> {
  return sql`with saved as (${saveDraft(before, after)}), events as (
      ${appendEventsFragment(events, { onlyIf: sql`exists (select from saved)` })})
    select 1 from saved`
}

/** A row if the draft still has this version; nobody changes it before the statement ends. */
export function lockDraft({ id, version }: Draft, onlyIf: SqlFragment): SqlFragment {
  return sql`select 1 from booking_draft d
    where d.id = ${idToUuid(id)}::uuid and d.version = ${version}::int and ${onlyIf} for update`
}

export type FinalState = 'converted' | 'abandoned' | 'failed'

/** The cold mirror for analytics, written once at the end of a draft. */
export function insertSnapshot(draft: Draft, finalState: FinalState, onlyIf: SqlFragment) {
  const { terms, origin, outcome } = draft
  return sql`insert into booking_draft_snapshots (id, draft_id, tenant_id, session_id,
      reservation_id, property_id, room_type_id, rate_plan_id, final_state, created_at,
      finalized_at, total_minor, currency, guest_email_hash, guest_phone_hash, marketing,
      flow_state_history, error_trail, payment_method, payment_provider, device_class, locale,
      display_currency)
    select ${idToUuid(newId('bds'))}::uuid, ${draft.id}, ${idToUuid(draft.tenantId)}::uuid,
      ${draft.sessionId}, ${draft.reservationId}, ${terms.propertyId},
      ${terms.rooms[0]?.roomTypeId ?? null}, ${terms.ratePlanId}, ${finalState},
      ${draft.createdAt}::timestamptz, booking_now(), ${totalMinorOf(draft)}::bigint,
      ${terms.total.currency}, ${draft.guestEmailHash}, ${draft.guestPhoneHash},
      ${jsonOrNull(origin.attribution)}::jsonb, ${JSON.stringify(draft.history)}::jsonb,
      ${JSON.stringify(draft.errors)}::jsonb, ${outcome?.paymentMethod ?? null},
      ${outcome?.paymentProvider ?? null}, ${origin.deviceClass}, ${origin.locale},
      ${origin.currency}
    where ${onlyIf}`
}

export interface DueDraft {
  readonly tenantId: TenantId
  readonly draftId: DraftId
}

/**
 * For the role of jobs: drafts of all tenants whose time is over, those without a payment first,
 * because ending the others may have to wait for upstreams.
 */
export function selectExpiredDrafts(limit: number): Statement<{ tenant_id: string; id: string }> {
  return sql<{ tenant_id: string; id: string }>`select d.tenant_id, d.id from booking_draft d
    where d.state in ('holding', 'collecting_details', 'paying') and d.expires_at <= booking_now()
    order by d.state = 'paying', d.expires_at, d.id limit ${limit}::int`
}

export function toDue({ tenant_id, id }: { tenant_id: string; id: string }): DueDraft {
  return { tenantId: uuidToId('tnt', tenant_id), draftId: uuidToId('bdr', id) }
}

function instant(date: Date): IsoDateTime {
  return date.toISOString() as IsoDateTime
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

function totalMinorOf({ terms: { total } }: Draft): number {
  return microToMinor(total.amountMicro, total.currency).amountMinor
}
