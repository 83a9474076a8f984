import { type Database, type Statement, sql, type Tx } from '@melmastoon/chassis/db'
import { idToUuid, type TenantId } from '@melmastoon/domain'
import { allNotes, insertNote, type NoteRow, newTenants } from './fixture.ts'

/** The part of a database that is used here, so that a leaking one can replace it (RLS-10). */
export type StormTarget = Pick<Database, 'query' | 'tenantQuery' | 'withTenant'>

export interface StormReport {
  /** Rows of another tenant, or any row seen without a tenant. */
  foreignRows: number
  /** Reads that missed an existing row of the tenant. */
  missedRows: number
  readonly finished: Map<string, number>
  readonly failed: Map<string, number>
}

interface Request {
  readonly target: StormTarget
  readonly tenant: TenantId
  readonly report: StormReport
}

type Kind = (request: Request) => Promise<unknown>

const SEEDED = 'seeded'
const TENANTS = 20
const CONCURRENCY = 24

class Aborted extends Error {}

const kinds: Readonly<Record<string, Kind>> = {
  read: async (request) =>
    inspect(request, await request.target.tenantQuery(request.tenant, allNotes())),
  write: ({ target, tenant }) => target.tenantQuery(tenant, insertNote(tenant, 'written')),
  transaction: (request) => inTransaction(request, (tx) => readAfterWrite(request, tx)),
  thrown: (request) =>
    inTransaction(request, async (tx) => {
      await readAfterWrite(request, tx)
      throw new Aborted()
    }),
  abortedInFlight: (request) =>
    inTransaction(request, async (tx) => {
      void tx.query(sql`select pg_sleep(0.002)`).catch(() => undefined)
      throw new Aborted()
    }),
  swallowed: (request) =>
    inTransaction(request, async (tx) => {
      await tx.query(sql`select 1 / 0`).catch(() => undefined)
    }),
  failedQuery: ({ target, tenant }) => target.tenantQuery(tenant, sql`select 1 / 0 from notes`),
  badParameter: ({ target, tenant }) => target.tenantQuery(tenant, sql`select ${Symbol('bad')}`),
  timedOut: (request) =>
    inTransaction(request, async (tx) => {
      await tx.query(sql`set local statement_timeout = 2`)
      await tx.query(sql`select pg_sleep(1) from notes`)
    }),
  /** The connection is terminated inside the transaction, so that its ROLLBACK fails too. */
  lostInTransaction: (request) =>
    inTransaction(request, async (tx) => {
      await tx.query(insertNote(request.tenant, 'lost'))
      await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`)
    }),
  lostQuery: ({ target, tenant }) =>
    target.tenantQuery(tenant, sql`select pg_terminate_backend(pg_backend_pid())`),
  foreignWrite: ({ target, tenant }) =>
    target.tenantQuery(tenant, insertNote(newTenants(1)[0] ?? tenant, 'foreign')),
  noContext: async ({ target, report }) => {
    report.foreignRows += (await target.query(allNotes())).length
  },
}

/** How often each kind occurs in a hundred requests; the rest are plain reads. */
const shares: Readonly<Record<string, number>> = {
  write: 12,
  transaction: 12,
  thrown: 8,
  abortedInFlight: 4,
  swallowed: 4,
  failedQuery: 6,
  badParameter: 3,
  timedOut: 2,
  lostInTransaction: 1,
  lostQuery: 1,
  foreignWrite: 4,
  noContext: 15,
}

/** Interleaved requests of twenty tenants, many of which fail in all known ways. */
export async function runStorm(
  target: StormTarget,
  options: { readonly requests: number; readonly seed: number },
): Promise<StormReport> {
  const tenants = newTenants(TENANTS)
  for (const tenant of tenants) await target.tenantQuery(tenant, insertNote(tenant, SEEDED))
  const report: StormReport = {
    foreignRows: 0,
    missedRows: 0,
    finished: new Map(),
    failed: new Map(),
  }
  const next = sequence(options.seed)
  let left = options.requests
  const serve = async () => {
    while (left > 0) {
      left -= 1
      const tenant = tenants[next(TENANTS)] ?? tenants[0]
      if (tenant !== undefined) await serveOne(pickKind(next(100)), { target, tenant, report })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, serve))
  return report
}

async function serveOne(name: string, request: Request): Promise<void> {
  const { finished, failed } = request.report
  try {
    await kinds[name]?.(request)
    count(finished, name)
  } catch {
    count(failed, name)
  }
}

function inTransaction(request: Request, work: (tx: Tx) => Promise<void>): Promise<void> {
  return request.target.withTenant(request.tenant, work)
}

async function readAfterWrite(request: Request, tx: Tx): Promise<void> {
  const written: Statement<unknown> = insertNote(request.tenant, 'in transaction')
  await tx.query(written)
  inspect(request, await tx.query(allNotes()))
}

function inspect({ tenant, report }: Request, rows: readonly NoteRow[]): void {
  const own = idToUuid(tenant)
  report.foreignRows += rows.filter((row) => row.tenant_id !== own).length
  if (!rows.some((row) => row.tenant_id === own && row.body === SEEDED)) report.missedRows += 1
}

function pickKind(percent: number): string {
  let bound = 0
  for (const [name, share] of Object.entries(shares)) {
    bound += share
    if (percent < bound) return name
  }
  return 'read'
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** A small repeatable generator (mulberry32): a failing seed can be run again. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export const KINDS: readonly string[] = Object.keys(kinds)
