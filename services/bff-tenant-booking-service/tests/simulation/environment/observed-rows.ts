import { type DraftId, type ReservationId, uuidToId } from '@melmastoon/domain'
import type {
  AttemptRow,
  DraftRow,
  EmittedEvent,
  FulfilmentRow,
} from '../invariants/observation.ts'

/** A draft with what the guests and the timers of a simulation know of it. */
export interface ObservedDraft extends DraftRow {
  readonly version: number
  readonly reservationId: ReservationId
  readonly sessionId: string
  readonly expiresAtMs: number
  readonly holdExpiresAtMs: number
  readonly changedDigest: string | null
}

export interface ObservedRecord extends FulfilmentRow {
  readonly leaseUntilMs: number
}

export interface ObservedAttempt extends AttemptRow {
  readonly method: string
  readonly role: string
}

/** The rows of one tenant, as the superuser reads them after a task. */
export interface ObservedRows {
  readonly drafts: readonly ObservedDraft[]
  readonly records: readonly ObservedRecord[]
  readonly attempts: readonly ObservedAttempt[]
  readonly events: readonly EmittedEvent[]
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const all = (name: string, members: string, from: string) =>
  `'${name}', coalesce((select json_agg(json_build_object(${members})) from ${from}), '[]')`

export const OBSERVE = `select json_build_object(${[
  all(
    'drafts',
    `'draftId', id, 'state', state, 'version', version, 'reservationId', reservation_id,
     'sessionId', session_id,
     'expiresAtMs', ${ms('expires_at')}, 'holdExpiresAtMs', ${ms('hold_expires_at')},
     'changedDigest', changed_terms ->> 'digest'`,
    '(select * from booking_draft where tenant_id = $1 order by created_at, id) d',
  ),
  all(
    'records',
    `'draftId', draft_id, 'state', state, 'decision', decision, 'reservationId', reservation_id,
     'intentId', intent_id, 'consentedDigest', consented_digest,
     'amountMicro', amount_micro::text, 'currency', currency, 'confirmKey', confirm_key,
     'captureKey', capture_key, 'cancelKey', cancel_key, 'attempt', attempt,
     'nextAtMs', ${ms('next_at')}, 'outcomeCode', outcome_code,
     'leaseUntilMs', case when lease_until = '-infinity' then 0 else ${ms('lease_until')} end`,
    '(select * from booking_fulfilment where tenant_id = $1 order by created_at, draft_id) f',
  ),
  all(
    'attempts',
    `'draftId', draft_id, 'no', no, 'key', key, 'cancelKey', cancel_key,
     'refundKey', refund_key, 'intentId', intent_id, 'status', status,
     'intentVersion', intent_version, 'method', method, 'role', role`,
    '(select * from booking_payment_attempt where tenant_id = $1 order by draft_id, no) a',
  ),
  all(
    'events',
    `'subject', subject, 'draftId', payload ->> 'draftId', 'about', payload ->> 'intentId'`,
    '(select * from outbox where tenant_id = $1 order by seq) e',
  ),
].join(', ')}) as observed`

const PREFIXES = /^melmastoon\.bff\.tenant\.(booking\.)?/

/** With ids in the form in which upstreams and guests see them. */
export function readable({ drafts, records, attempts, events }: ObservedRows): ObservedRows {
  const named = <R extends { readonly draftId: DraftId }>(row: R): R => ({
    ...row,
    draftId: uuidToId('bdr', row.draftId),
  })
  return {
    drafts: drafts.map(named),
    records: records.map(named),
    attempts: attempts.map(named),
    events: events.map(({ subject, draftId, about }) => ({
      subject: subject.replace(PREFIXES, ''),
      draftId,
      ...(about !== undefined && { about }),
    })),
  }
}

const OPEN: ReadonlySet<string> = new Set(['holding', 'collecting_details', 'paying'])

/** When the poller has something to do; infinite: never. */
export function nextRecordMs({ records }: ObservedRows): number {
  const due = records.flatMap(({ nextAtMs, leaseUntilMs }) =>
    nextAtMs === null ? [] : [Math.max(nextAtMs, leaseUntilMs)],
  )
  return Math.min(...due)
}

/** When the sweeper has something to do. */
export function nextDraftMs({ drafts }: ObservedRows): number {
  const open = drafts.filter(({ state }) => OPEN.has(state))
  return Math.min(...open.map(({ expiresAtMs }) => expiresAtMs))
}
