import { type Statement, sql } from '@melmastoon/chassis/db'
import { type DraftId, idToUuid } from '@melmastoon/domain'
import type { ErrorEntry, HistoryEntry } from '../drafts/draft.ts'

/** Columns without personal data, keys and sealed content. */
export interface DraftTimelineRow {
  readonly tenant_id: string
  readonly state: string
  readonly version: number
  readonly reservation_id: string
  readonly hold_expires_at: Date
  readonly hold_no: number
  readonly flow_state_history: readonly HistoryEntry[]
  readonly error_trail: readonly ErrorEntry[]
  readonly outcome: { readonly reason: string } | null
  readonly created_at: Date
  readonly expires_at: Date
  readonly finalized_at: Date | null
}

/** For the role of jobs, as the other statements of this file. */
export function selectDraftTimeline(draftId: DraftId): Statement<DraftTimelineRow> {
  return sql<DraftTimelineRow>`select tenant_id, state, version, reservation_id, hold_expires_at,
      hold_no, flow_state_history, error_trail, outcome, created_at, expires_at, finalized_at
    from booking_draft where id = ${idToUuid(draftId)}::uuid`
}

export interface AttemptTimelineRow {
  readonly no: number
  readonly method: string
  readonly provider: string | null
  readonly status: string
  readonly intent_id: string | null
  readonly intent_status: string | null
  readonly intent_version: number
  readonly decline_code: string | null
  readonly role: string
  readonly amount_micro: string
  readonly refunded_micro: string
  readonly currency: string
  readonly created_at: Date
}

export function selectAttemptTimeline(draftId: DraftId): Statement<AttemptTimelineRow> {
  return sql<AttemptTimelineRow>`select no, method, provider, status, intent_id, intent_status,
      intent_version, decline_code, role, amount_micro::text, refunded_micro::text, currency,
      created_at
    from booking_payment_attempt where draft_id = ${idToUuid(draftId)}::uuid order by no`
}

export interface RecordTimelineRow {
  readonly state: string
  readonly decision: string | null
  readonly recovery_point: string
  readonly intent_id: string | null
  readonly attempt: number
  readonly tries: number
  readonly next_at: Date | null
  readonly last_error: string | null
  readonly outcome_code: string | null
  readonly created_at: Date
  readonly settled_at: Date | null
}

export function selectRecordTimeline(draftId: DraftId): Statement<RecordTimelineRow> {
  return sql<RecordTimelineRow>`select state, decision, recovery_point, intent_id, attempt, tries,
      next_at, last_error, outcome_code, created_at, settled_at
    from booking_fulfilment where draft_id = ${idToUuid(draftId)}::uuid`
}

/** The only column that an operator can set: the poller looks at the payment at once. */
export function makeDue(draftId: DraftId | null): Statement<{ draft_id: string }> {
  const only =
    draftId === null ? sql`next_at is not null` : sql`draft_id = ${idToUuid(draftId)}::uuid`
  return sql<{ draft_id: string }>`update booking_fulfilment set next_at = booking_now()
    where settled_at is null and ${only} returning draft_id`
}
