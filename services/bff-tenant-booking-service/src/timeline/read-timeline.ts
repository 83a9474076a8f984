import type { Queryable } from '@melmastoon/chassis/db'
import { type DraftId, uuidToId } from '@melmastoon/domain'
import {
  type AttemptTimelineRow,
  type DraftTimelineRow,
  type RecordTimelineRow,
  selectAttemptTimeline,
  selectDraftTimeline,
  selectRecordTimeline,
} from './timeline-sql.ts'

interface Entry {
  readonly at: string
  readonly text: string
}

/**
 * What happened to a booking, one line each: ids, states and times only, for operators.
 * Null: there is no such draft.
 */
export async function readTimeline(db: Queryable, draftId: DraftId): Promise<string[] | null> {
  const [draft] = await db.query(selectDraftTimeline(draftId))
  if (draft === undefined) return null
  const attempts = await db.query(selectAttemptTimeline(draftId))
  const [record] = await db.query(selectRecordTimeline(draftId))
  const entries = [...draftEntries(draft), ...attempts.map(attemptEntry)]
  const ordered = entries.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  return [
    `${draftId} of ${uuidToId('tnt', draft.tenant_id)}: ${draft.state}, version ${draft.version}`,
    `reservation ${draft.reservation_id}, hold ${draft.hold_no} until ${iso(draft.hold_expires_at)}`,
    draft.finalized_at === null
      ? `draft expires ${iso(draft.expires_at)}`
      : `draft ended ${iso(draft.finalized_at)}: ${draft.outcome?.reason ?? 'no reason'}`,
    record === undefined ? 'no payment yet' : recordLine(record),
    '',
    ...ordered.map(({ at, text }) => `${at}  ${text}`),
  ]
}

function draftEntries({ flow_state_history, error_trail }: DraftTimelineRow): Entry[] {
  return [
    ...flow_state_history.map(({ at, event, from, to }) => ({
      at,
      text: `draft    ${event}: ${from === to ? from : `${from} → ${to}`}`,
    })),
    ...error_trail.map(({ at, code, atState, upstream }) => ({
      at,
      text: `error    ${code} while ${atState}${upstream === null ? '' : ` by ${upstream}`}`,
    })),
  ]
}

function attemptEntry(row: AttemptTimelineRow): Entry {
  const { no, method, provider, status, intent_id, intent_status, intent_version } = row
  const intent = intent_id === null ? 'no intent yet' : `${intent_id} ${intent_status}`
  const declined = row.decline_code === null ? '' : `, declined: ${row.decline_code}`
  const amount = `${row.amount_micro} micro ${row.currency}, ${row.refunded_micro} refunded`
  const text = `attempt  ${no} by ${provider ?? method}: ${status}, ${intent} (version ${intent_version}), ${amount}, role ${row.role}${declined}`
  return { at: iso(row.created_at), text }
}

function recordLine(row: RecordTimelineRow): string {
  const { state, decision, recovery_point, attempt, tries, next_at, settled_at } = row
  const parts = [
    `fulfilment ${state}`,
    `decision ${decision ?? 'none'}`,
    `recovery point ${recovery_point}`,
    `claim ${attempt}, ${tries} tries`,
    `paid by ${row.intent_id ?? 'none'}`,
    settled_at === null ? null : `settled ${iso(settled_at)} as ${row.outcome_code}`,
    next_at === null ? 'nothing due' : `due ${iso(next_at)}`,
    row.last_error === null ? null : `last error ${row.last_error}`,
  ]
  return parts.filter((part) => part !== null).join('; ')
}

function iso(time: Date): string {
  return time.toISOString()
}
