import type { Clock } from '@melmastoon/chassis/clock'
import type { CallOptions, Database, Statement } from '@melmastoon/chassis/db'
import type { TenantId } from '@melmastoon/domain'
import { type ObservedName, writtenBy } from './observed-rows.ts'

/** Changes the text of a statement, to switch a guard off in a control. */
export type Rewrite = (text: string) => string

export interface StatementWrite {
  readonly statement: Statement<unknown>
  /** Whether it returned a row, which a write without effect does not. */
  readonly hasEffect: boolean
  /** The tables that it may have changed. */
  readonly written: readonly ObservedName[]
}

export type OnWrite = (write: StatementWrite) => void

export interface StatementOptions {
  readonly clock: Clock
  readonly rewrite?: Rewrite | undefined
  /** After a statement that may have changed a booking. */
  readonly onWrite: OnWrite
}

interface Prepared {
  readonly name: string
  readonly text: string
  /** The last parameter is the time. */
  readonly readsTime: boolean
  readonly written: readonly ObservedName[]
}

/**
 * The real database at the simulated time: `booking_now()` becomes a parameter of the statement,
 * which saves a round trip for setting the clock. So does `now()` in the statements that all
 * services share, so that the lease of a request ends in simulated time, too.
 */
export function timedDatabase(db: Database, options: StatementOptions): Database {
  const known = knownFor(options.rewrite)
  const prepare = (statement: Statement<unknown>): Prepared => {
    const found = known.get(statement.text)
    if (found !== undefined) return found
    const prepared = prepareStatement(statement, options.rewrite)
    known.set(statement.text, prepared)
    return prepared
  }
  const run = async <R>(
    statement: Statement<R>,
    send: (prepared: Statement<R>) => Promise<R[]>,
  ): Promise<R[]> => {
    const { name, text, readsTime, written } = prepare(statement)
    const { values } = statement
    const timed = readsTime ? [...values, options.clock.now()] : values
    const rows = await send({ name, text, values: timed })
    if (written.length > 0) options.onWrite({ statement, hasEffect: rows.length > 0, written })
    return rows
  }
  const unused = () => Promise.reject(new TypeError('bookings use single statements'))
  return {
    query: (statement, call) => run(statement, (prepared) => db.query(prepared, inNoTime(call))),
    tenantQuery: (tenantId, statement, call) =>
      run(statement, (prepared) => db.tenantQuery(tenantId, prepared, inNoTime(call))),
    transaction: unused,
    withTenant: unused,
    scoped: (_tenantId: TenantId | null, _call?: CallOptions) => {
      throw new TypeError('the database of a process scopes itself')
    },
    poolState: () => db.poolState(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

/** A statement takes no simulated time: only a deadline that has passed before it matters. */
function inNoTime(call: CallOptions | undefined): CallOptions | undefined {
  return call?.deadline?.remainingMs() === 0 ? call : undefined
}

const unchanged: Rewrite = (text) => text
const statements = new WeakMap<Rewrite, Map<string, Prepared>>()

/** Statements are the same in all histories, so that their texts are changed once. */
function knownFor(rewrite: Rewrite = unchanged): Map<string, Prepared> {
  const known = statements.get(rewrite) ?? new Map<string, Prepared>()
  statements.set(rewrite, known)
  return known
}

const TIME = /(?<![\w.])(?:booking_now|now|clock_timestamp)\(\)/g

function prepareStatement(
  { text, values }: Statement<unknown>,
  rewrite: Rewrite = unchanged,
): Prepared {
  const timed = rewrite(text).replaceAll(TIME, `$${values.length + 1}::timestamptz`)
  return {
    name: nameOf(text),
    text: timed,
    readsTime: timed !== rewrite(text),
    written: writtenBy(text),
  }
}

const NAMES: readonly (readonly [name: string, part: string])[] = [
  ['claim', 'set attempt = f.attempt + 1'],
  ['finish', 'settled_at = booking_now()'],
  ['decide', 'decision = $'],
  ['end claim', "lease_until = '-infinity', last_error"],
  ['checkpoint', 'recovery_point = $'],
  ['begin attempt', 'insert into booking_payment_attempt'],
  ['receive webhook', 'insert into inbox'],
  ['create draft', 'insert into booking_draft ('],
  ['end draft', 'insert into booking_draft_snapshots'],
  ['adopt intent', 'a.intent_id is null and exists'],
  ['store', 'with fence as'],
  ['list due', 'next_at <= booking_now() and lease_until'],
  ['list expired', 'and d.expires_at <= booking_now()'],
  ['save draft', 'update booking_draft d'],
  ['close attempt', "set status = 'closed'"],
  ['read booking', 'from booking_draft d'],
  ['request', 'idempotency'],
]

const names = new Map<string, string>()

/** What a statement does, for traces and coverage. */
export function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = NAMES.find(([, part]) => text.includes(part))?.[0] ?? text.trim().slice(0, 60)
  names.set(text, name)
  return name
}
