import { type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { idToUuid } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { Draft } from '../drafts/draft.ts'
import { type FinalState, insertSnapshot, lockDraft, saveDraft } from '../drafts/draft-sql.ts'
import { openRecord } from '../fulfilment/fulfilment-sql.ts'
import type { PaymentAttempt } from '../payments/attempt.ts'
import { insertAttempt } from '../payments/attempt-sql.ts'

/** The poller looks at a new attempt soon: its request may have been lost. */
const FIRST_LOOK_SECONDS = 2

export interface NewPayment {
  readonly draft: Draft
  readonly after: Draft
  readonly attempt: PaymentAttempt
  readonly events: readonly OutboxEvent[]
}

/**
 * Record, attempt, draft and events, all or none: nothing is written when the draft has changed, or
 * when the record is claimed or decided. A second open attempt violates an index. The locks are
 * taken in the order of the fulfilment, record before draft.
 */
export function insertPayment({ draft, after, attempt, events }: NewPayment): Statement<unknown> {
  const ref = { tenantId: draft.tenantId, draftId: draft.id }
  return sql`
    with record as (select 1 from booking_fulfilment f
      where f.draft_id = ${idToUuid(draft.id)}::uuid for update),
    locked as (${lockDraft(draft, sql`(select count(*) from record) >= 0`)}),
    opened as (${openRecord(draft, FIRST_LOOK_SECONDS, sql`exists (select from locked)`)}),
    added as (${insertAttempt(ref, attempt, sql`exists (select from opened)`)}),
    saved as (${saveDraft(draft, after, { onlyIf: sql`exists (select from added)`, touches: true })}),
    events as (${appendEventsFragment(events, { onlyIf: sql`exists (select from saved)` })})
    select 1 from saved`
}

export interface DraftEnd {
  readonly draft: Draft
  readonly after: Draft
  readonly finalState: FinalState
  readonly events: readonly OutboxEvent[]
  /** By time: only if it is still due. */
  readonly onlyIfDue: boolean
}

/** Ends a draft that never had a payment, with its snapshot and events, once. */
export function endDraft({ draft, after, finalState, events, onlyIfDue }: DraftEnd) {
  const hasNoRecord = sql`not exists (select from booking_fulfilment f
    where f.tenant_id = d.tenant_id and f.draft_id = d.id)`
  const isDue = onlyIfDue ? sql`d.expires_at <= booking_now()` : sql`true`
  const ended = sql`exists (select from ended)`
  return sql<{ done: number }>`
    with ended as (${saveDraft(draft, after, { onlyIf: sql`${hasNoRecord} and ${isDue}` })}),
    snapshot as (${insertSnapshot(after, finalState, ended)}),
    events as (${appendEventsFragment(events, { onlyIf: ended })})
    select 1 as done from ended`
}
