import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import {
  type BookingSessionId,
  type CurrencyCode,
  type DraftId,
  idToUuid,
  type PaymentIntentId,
  type ReservationId,
} from '@melmastoon/domain'
import type { CaptureMode } from '@melmastoon/upstream-contracts/payment'
import type { Draft } from '../drafts/draft.ts'
import { DRAFT_COLUMNS, type DraftRow, toDraft } from '../drafts/draft-sql.ts'
import {
  ATTEMPTS_JSON,
  type AttemptsJson,
  requestConfirm,
  toAttempts,
} from '../payments/attempt-sql.ts'
import type { Booking, ClaimedBooking, FulfilmentRecord } from './fulfilment.ts'

/** How long a claim lasts without a sign of life; longer than any single upstream call. */
const LEASE_MS = 10_000

interface RecordColumns {
  readonly f_state: FulfilmentRecord['state'] | null
  readonly f_decision: FulfilmentRecord['decision']
  readonly f_recovery_point: FulfilmentRecord['recoveryPoint']
  readonly f_reservation_id: ReservationId
  readonly f_intent_id: PaymentIntentId | null
  readonly f_capture_mode: CaptureMode | null
  readonly f_consented_digest: string
  readonly f_amount_micro: string
  readonly f_currency: CurrencyCode
  readonly f_confirm_request: Buffer | null
  readonly f_confirm_no: number
  readonly f_confirm_key: string | null
  readonly f_capture_key: string | null
  readonly f_cancel_key: string | null
  readonly f_attempt: number
  readonly f_next_at: Date | null
  readonly f_tries: number
  readonly f_outcome_code: FulfilmentRecord['outcomeCode']
  readonly f_settled_at: Date | null
}

export interface BookingRow extends DraftRow, RecordColumns {
  readonly attempts: AttemptsJson
  readonly now: Date
}

const RECORD_COLUMNS = rawSql(`f.state as f_state, f.decision as f_decision,
  f.recovery_point as f_recovery_point, f.reservation_id as f_reservation_id,
  f.intent_id as f_intent_id, f.capture_mode as f_capture_mode,
  f.consented_digest as f_consented_digest, f.amount_micro::text as f_amount_micro,
  f.currency as f_currency, f.confirm_request as f_confirm_request, f.confirm_no as f_confirm_no,
  f.confirm_key as f_confirm_key, f.capture_key as f_capture_key, f.cancel_key as f_cancel_key,
  f.attempt as f_attempt, f.next_at as f_next_at, f.tries as f_tries,
  f.outcome_code as f_outcome_code, f.settled_at as f_settled_at`)

const BOOKING_COLUMNS = sql`${DRAFT_COLUMNS}, ${RECORD_COLUMNS}, ${ATTEMPTS_JSON} as attempts,
  booking_now() as now`

/** Draft, record and attempts. */
export function selectBooking(draftId: DraftId): Statement<BookingRow> {
  return sql<BookingRow>`select ${BOOKING_COLUMNS}
    from booking_draft d left join booking_fulfilment f
      on f.tenant_id = d.tenant_id and f.draft_id = d.id
    where d.id = ${idToUuid(draftId)}::uuid`
}

export interface ClaimOptions {
  /** For the poller: another instance may have looked at it since it was listed. */
  readonly onlyIfDue?: boolean
}

/**
 * Claims the record of a draft, if it is not claimed and something is left to do. The claim is the
 * number in `attempt`: every later write repeats it, and has no effect once another claim was made.
 *
 * During a claim the record is due when its lease ends; an earlier due time was set by someone else
 * meanwhile, and survives the claim. A claim that had to wait for the row may have read draft and
 * attempts as they were before: writes of the draft compare its version.
 */
export function claimRecord(
  draftId: DraftId,
  { onlyIfDue = false }: ClaimOptions = {},
): Statement<BookingRow> {
  const isLeft = onlyIfDue
    ? sql`f.next_at <= booking_now()`
    : sql`(f.next_at is not null or f.settled_at is null)`
  return sql<BookingRow>`with claimed as (${claim(draftId, isLeft)})
    select ${BOOKING_COLUMNS} from claimed f
    join booking_draft d on d.tenant_id = f.tenant_id and d.id = f.draft_id`
}

export interface OwnClaim {
  readonly sessionId: BookingSessionId
  /** The guest asks to book: stored, so that every later claim knows it. */
  readonly confirms?: boolean
}

/**
 * For a request of a guest: claims an unsettled record of their own session. Without a claim the
 * same statement reads the booking, as it was before a claim that was made at the same time.
 */
export function claimOwnRecord(
  draftId: DraftId,
  { sessionId, confirms = false }: OwnClaim,
): Statement<BookingRow & { readonly claimed: boolean }> {
  const isOwn = sql`exists (select from booking_draft d
    where d.id = ${idToUuid(draftId)}::uuid and d.session_id = ${sessionId})`
  return sql<BookingRow & { readonly claimed: boolean }>`
    with claimed as (${claim(draftId, sql`f.settled_at is null and ${isOwn}`)})
      ${confirms ? confirmRequest(draftId, isOwn) : rawSql('')}
    select true as claimed, ${BOOKING_COLUMNS} from claimed f
    join booking_draft d on d.tenant_id = f.tenant_id and d.id = f.draft_id
    union all
    select false, ${BOOKING_COLUMNS}
    from booking_draft d left join booking_fulfilment f
      on f.tenant_id = d.tenant_id and f.draft_id = d.id
    where d.id = ${idToUuid(draftId)}::uuid and d.session_id = ${sessionId}
      and not exists (select from claimed)`
}

/** A claim that works on the record now has not seen the request: the next one is due at once. */
function confirmRequest(draftId: DraftId, isOwn: SqlFragment): SqlFragment {
  return sql`, requested as (${requestConfirm(draftId, isOwn)}),
    due as (update booking_fulfilment f set next_at = booking_now()
      where f.draft_id = ${idToUuid(draftId)}::uuid and f.lease_until > booking_now()
        and f.settled_at is null and exists (select from requested)
      returning 1)`
}

function claim(draftId: DraftId, onlyIf: SqlFragment): SqlFragment {
  return sql`update booking_fulfilment f set attempt = f.attempt + 1, tries = f.tries + 1,
      lease_until = t.lease_end, next_at = t.lease_end
    from (select booking_now() + ${LEASE} as lease_end) t
    where f.draft_id = ${idToUuid(draftId)}::uuid and f.lease_until <= booking_now() and ${onlyIf}
    returning f.*`
}

const LEASE = rawSql(`interval '${LEASE_MS} milliseconds'`)

export function toBooking(row: BookingRow): Booking {
  return {
    draft: toDraft(row),
    record: row.f_state === null ? null : toRecord(row, row.f_state),
    attempts: toAttempts(row.attempts),
    now: row.now,
  }
}

export function toClaimed(row: BookingRow): ClaimedBooking {
  const { record, ...booking } = toBooking(row)
  if (record === null) throw new TypeError('a claim without a record')
  return { ...booking, record }
}

function toRecord(row: RecordColumns, state: FulfilmentRecord['state']): FulfilmentRecord {
  return {
    state,
    decision: row.f_decision,
    recoveryPoint: row.f_recovery_point,
    reservationId: row.f_reservation_id,
    intentId: row.f_intent_id,
    captureMode: row.f_capture_mode,
    consentedDigest: row.f_consented_digest,
    amount: { amountMicro: row.f_amount_micro, currency: row.f_currency },
    confirmRequest: row.f_confirm_request,
    confirmNo: row.f_confirm_no,
    confirmKey: row.f_confirm_key,
    captureKey: row.f_capture_key,
    cancelKey: row.f_cancel_key,
    attempt: row.f_attempt,
    nextAt: row.f_next_at,
    tries: row.f_tries,
    outcomeCode: row.f_outcome_code,
    settledAt: row.f_settled_at,
  }
}

/** A new attempt of the guest: the record is created with the first one (F11). */
export function openRecord(draft: Draft, dueSeconds: number, onlyIf: SqlFragment): SqlFragment {
  const { terms } = draft
  return sql`insert into booking_fulfilment as f (tenant_id, draft_id, reservation_id,
      consented_digest, amount_micro, currency, next_at, created_at)
    select ${idToUuid(draft.tenantId)}::uuid, ${idToUuid(draft.id)}::uuid, ${draft.reservationId},
      ${terms.digest}, ${terms.total.amountMicro}::bigint, ${terms.total.currency},
      booking_now() + ${dueSeconds}::int * interval '1 second', booking_now()
    where ${onlyIf}
    on conflict (tenant_id, draft_id) do update set reservation_id = excluded.reservation_id,
      consented_digest = excluded.consented_digest, amount_micro = excluded.amount_micro,
      currency = excluded.currency, next_at = excluded.next_at, tries = 0
    where f.decision is null and f.lease_until <= booking_now()
    returning 1`
}

/** The reservation of a draft was replaced; no decision was made about the old one. */
export function moveRecord(draft: Draft, onlyIf: SqlFragment): SqlFragment {
  const { terms } = draft
  return sql`update booking_fulfilment f set reservation_id = ${draft.reservationId},
      consented_digest = ${terms.digest}, amount_micro = ${terms.total.amountMicro}::bigint,
      currency = ${terms.total.currency}
    where f.draft_id = ${idToUuid(draft.id)}::uuid and f.decision is null and ${onlyIf}`
}

/** What a step writes into the record. */
export interface RecordChange {
  readonly state?: FulfilmentRecord['state']
  readonly decision?: 'confirm' | 'release'
  readonly recoveryPoint?: FulfilmentRecord['recoveryPoint']
  readonly intentId?: PaymentIntentId | null
  readonly captureMode?: CaptureMode | null
  /** Null deletes it: after the decision was carried out nothing repeats it. */
  readonly confirmRequest?: Buffer | null
  readonly confirmKey?: string
  readonly captureKey?: string
  readonly cancelKey?: string
  readonly outcomeCode?: string
  readonly settles?: boolean
}

const COLUMN_OF = {
  state: 'state',
  decision: 'decision',
  recoveryPoint: 'recovery_point',
  intentId: 'intent_id',
  captureMode: 'capture_mode',
  confirmRequest: 'confirm_request',
  confirmKey: 'confirm_key',
  captureKey: 'capture_key',
  cancelKey: 'cancel_key',
  outcomeCode: 'outcome_code',
} as const

export interface FencedWrite {
  readonly draftId: DraftId
  /** The number of the claim. */
  readonly fence: number
  readonly change: RecordChange
  /** The draft, written first; the record changes only if the draft had the expected version. */
  readonly draft?: SqlFragment
  /** On other tables: each selects `from fence` or tests `exists (select from fence)`. */
  readonly effects?: readonly SqlFragment[]
  /** Seconds until the poller looks again; null: nothing is left to do. The lease ends with it. */
  readonly release?: { readonly nextSeconds: number | null; readonly lastError?: string | null }
}

export const IF_FENCED = sql`exists (select from fence)`
export const IF_SAVED = sql`exists (select from saved)`

/**
 * One step of a claim in one statement. The row lock of `fence` comes first, so that a claim that
 * was overtaken changes nothing at all. No row returned: overtaken, or the draft had changed.
 */
export function fencedWrite(write: FencedWrite): Statement<{ done: number }> {
  const { draftId, fence, draft, effects = [] } = write
  const parts = effects.map((effect, index) => sql`, ${rawSql(`effect_${index}`)} as (${effect})`)
  return sql<{ done: number }>`
    with fence as (
      select 1 from booking_fulfilment f
      where f.draft_id = ${idToUuid(draftId)}::uuid and f.attempt = ${fence}::int for update),
    saved as (${draft ?? sql`select 1 from fence`})${joined(parts)},
    written as (
      update booking_fulfilment f set ${assignments(write)}
      from (select booking_now() + ${LEASE} as lease_end) t
      where f.draft_id = ${idToUuid(draftId)}::uuid and ${IF_SAVED} returning 1)
    select 1 as done from written`
}

function joined(parts: readonly SqlFragment[]): SqlFragment {
  return parts.reduce((all, part) => sql`${all}${part}`, rawSql(''))
}

function assignments({ change, release }: FencedWrite): SqlFragment {
  const { settles = false, ...columns } = change
  const set = Object.entries(columns).map(
    ([name, value]) => sql`${rawSql(COLUMN_OF[name as keyof typeof COLUMN_OF])} = ${value}, `,
  )
  const settled = settles ? rawSql('settled_at = booking_now(), ') : rawSql('')
  return sql`${joined(set)}${settled}${dueAssignments(release)}`
}

const WAS_MADE_DUE = rawSql('f.next_at < f.lease_until')

function dueAssignments(release: FencedWrite['release']): SqlFragment {
  if (release === undefined) {
    return sql`lease_until = t.lease_end, tries = 0,
      next_at = case when ${WAS_MADE_DUE} then f.next_at else t.lease_end end`
  }
  const { nextSeconds, lastError = null } = release
  const next = nextSeconds === null ? NOTHING_LEFT : dueIn(nextSeconds)
  return sql`lease_until = '-infinity', last_error = ${lastError},
    next_at = case when ${WAS_MADE_DUE} then f.next_at else ${next} end`
}

/** Unless an attempt was begun that the claim has not seen. */
const NOTHING_LEFT = rawSql(`case when f.settled_at is null and exists (
    select from booking_payment_attempt a where a.tenant_id = f.tenant_id
      and a.draft_id = f.draft_id and a.status in ('creating', 'open'))
  then booking_now() end`)

function dueIn(seconds: number): SqlFragment {
  return sql`booking_now() + ${seconds}::float8 * interval '1 second'`
}

export interface DueRow {
  readonly tenant_id: string
  readonly id: string
}

/** For the role of jobs: records of all tenants that are due and not claimed. */
export function selectDueRecords(limit: number): Statement<DueRow> {
  return sql<DueRow>`select tenant_id, draft_id as id from booking_fulfilment
    where next_at <= booking_now() and lease_until <= booking_now()
    order by next_at, draft_id limit ${limit}::int`
}

/** For the role of jobs. */
export function selectSettledSince(
  { settledAt, id }: { readonly settledAt: string | null; readonly id: string },
  { minutes, limit }: { readonly minutes: number; readonly limit: number },
): Statement<SettledRow> {
  return sql<SettledRow>`select tenant_id, draft_id as id, settled_at::text as settled_at
    from booking_fulfilment
    where next_at is null and (settled_at, draft_id) > (coalesce(${settledAt}::timestamptz,
      booking_now() - ${minutes}::int * interval '1 minute'), ${id}::uuid)
    order by settled_at, draft_id limit ${limit}::int`
}

/** With the instant in full precision, to continue after it. */
export interface SettledRow extends DueRow {
  readonly settled_at: string
}

export interface FulfilmentHealth {
  readonly dueLagSeconds: number
  readonly triesMax: number
  readonly capturedUnsettledOldestSeconds: number
}

export interface DraftHealth {
  readonly active: number
  readonly overdueOldestSeconds: number
}

/** For the role of jobs; reads the index of the sweeper only. */
export function selectDraftHealth(): Statement<DraftHealth> {
  return sql<DraftHealth>`select count(*)::int as active,
      greatest(extract(epoch from booking_now() - min(expires_at)), 0)::float8
        as "overdueOldestSeconds"
    from booking_draft where state in ('holding', 'collecting_details', 'paying')`
}

/** For the role of jobs. */
export function selectHealth(): Statement<FulfilmentHealth> {
  return sql<FulfilmentHealth>`
    select coalesce(max(extract(epoch from booking_now() - f.next_at))
        filter (where f.next_at <= booking_now()), 0)::float8 as "dueLagSeconds",
      coalesce(max(f.tries) filter (where f.state in ('confirming', 'releasing')), 0)::int
        as "triesMax",
      coalesce(max(extract(epoch from booking_now() - a.money_seen_at))
        filter (where f.settled_at is null), 0)::float8 as "capturedUnsettledOldestSeconds"
    from booking_fulfilment f left join booking_payment_attempt a
      on a.tenant_id = f.tenant_id and a.draft_id = f.draft_id and a.status <> 'closed'
    where f.next_at is not null`
}
