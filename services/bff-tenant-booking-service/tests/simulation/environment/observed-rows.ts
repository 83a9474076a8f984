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

export type ObservedName = keyof ObservedRows

interface ObservedTable {
  readonly table: string
  readonly order: string
  /** Pairs of a member and its expression. */
  readonly members: string
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

const TABLES: Readonly<Record<ObservedName, ObservedTable>> = {
  drafts: {
    table: 'booking_draft',
    order: 'created_at, id',
    members: `'draftId', id, 'state', state, 'version', version, 'reservationId', reservation_id,
      'sessionId', session_id,
      'expiresAtMs', ${ms('expires_at')}, 'holdExpiresAtMs', ${ms('hold_expires_at')},
      'changedDigest', changed_terms ->> 'digest'`,
  },
  records: {
    table: 'booking_fulfilment',
    order: 'created_at, draft_id',
    members: `'draftId', draft_id, 'state', state, 'decision', decision,
      'reservationId', reservation_id, 'intentId', intent_id,
      'consentedDigest', consented_digest, 'amountMicro', amount_micro::text,
      'currency', currency, 'confirmKey', confirm_key, 'captureKey', capture_key,
      'cancelKey', cancel_key, 'attempt', attempt,
      'nextAtMs', ${ms('next_at')}, 'outcomeCode', outcome_code,
      'leaseUntilMs', case when lease_until = '-infinity' then 0 else ${ms('lease_until')} end`,
  },
  attempts: {
    table: 'booking_payment_attempt',
    order: 'draft_id, no',
    members: `'draftId', draft_id, 'no', no, 'key', key, 'cancelKey', cancel_key,
      'refundKey', refund_key, 'intentId', intent_id, 'status', status,
      'intentVersion', intent_version, 'method', method, 'role', role`,
  },
  events: {
    table: 'outbox',
    order: 'seq',
    members: `'subject', subject, 'draftId', payload ->> 'draftId',
      'about', payload ->> 'intentId'`,
  },
}

export const OBSERVED: readonly ObservedName[] = ['drafts', 'records', 'attempts', 'events']

/** The rows of these tables that belong to the tenant `$1`. */
export function observeText(names: readonly ObservedName[]): string {
  const members = names.map((name) => `'${name}', ${rowsOf(TABLES[name])}`)
  return `select json_build_object(${members.join(', ')}) as observed`
}

function rowsOf({ table, order, members }: ObservedTable): string {
  return `coalesce((select json_agg(json_build_object(${members}) order by ${order})
    from ${table} where tenant_id = $1), '[]')`
}

const WRITTEN = new Map(
  OBSERVED.map((name) => [
    name,
    new RegExp(`(insert into|update|delete from) ${TABLES[name].table}\\b`),
  ]),
)

/** Which rows a statement may change. */
export function writtenBy(text: string): ObservedName[] {
  return OBSERVED.filter((name) => WRITTEN.get(name)?.test(text))
}

const PREFIXES = /^melmastoon\.bff\.tenant\.(booking\.)?/

/** With ids in the form in which upstreams and guests see them. */
export function readable(rows: Partial<ObservedRows>): Partial<ObservedRows> {
  const { drafts, records, attempts, events } = rows
  const named = <R extends { readonly draftId: DraftId }>(row: R): R => ({
    ...row,
    draftId: uuidToId('bdr', row.draftId),
  })
  return {
    ...(drafts !== undefined && { drafts: drafts.map(named) }),
    ...(records !== undefined && { records: records.map(named) }),
    ...(attempts !== undefined && { attempts: attempts.map(named) }),
    ...(events !== undefined && { events: events.map(readableEvent) }),
  }
}

function readableEvent({ subject, draftId, about }: EmittedEvent): EmittedEvent {
  return {
    subject: subject.replace(PREFIXES, ''),
    draftId,
    ...(about !== undefined && { about }),
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
