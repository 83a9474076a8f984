import type { CallOptions, Database, Statement } from '@melmastoon/chassis/db'
import type { TenantId } from '@melmastoon/domain'
import type { SimulatedProcess } from './simulated-process.ts'

const TRANSACTION = { isTransaction: true } as const

export interface DatabaseTasks {
  /** Of a statement, for the trace. */
  readonly labelOf?: (statement: Statement<unknown>) => string
  /** How long the process is paused before it sends the statement. */
  readonly pauseMs?: (label: string) => number
}

/** The real database, with one task for each statement and each transaction. */
export function simulatedDatabase(
  db: Database,
  process: SimulatedProcess,
  { labelOf = beginningOf, pauseMs = () => 0 }: DatabaseTasks = {},
): Database {
  const send = <R>(statement: Statement<unknown>, run: () => Promise<R>): Promise<R> => {
    const label = labelOf(statement)
    return process.task(label, run, { delayMs: pauseMs(label) })
  }
  const simulated: Database = {
    query: (statement, options) => send(statement, () => db.query(statement, options)),
    tenantQuery: (tenantId, statement, options) =>
      send(statement, () => db.tenantQuery(tenantId, statement, options)),
    transaction: (work, options) =>
      process.task('transaction', () => db.transaction(work, options), TRANSACTION),
    withTenant: (tenantId, work, options) =>
      process.task('transaction', () => db.withTenant(tenantId, work, options), TRANSACTION),
    scoped: (tenantId, options) => scopedTo(simulated, tenantId, options),
    poolState: () => db.poolState(),
    // The real connections are shared by all processes of a history.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  return simulated
}

function scopedTo(db: Database, tenantId: TenantId | null, options: CallOptions | undefined) {
  if (tenantId === null) {
    return {
      query: <R>(statement: Statement<R>) => db.query(statement, options),
      transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) =>
        db.transaction(work, options),
    }
  }
  return {
    query: <R>(statement: Statement<R>) => db.tenantQuery(tenantId, statement, options),
    transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) =>
      db.withTenant(tenantId, work, options),
  }
}

/** Without values: two runs of one history differ in their ids. */
function beginningOf({ name, text }: Statement<unknown>): string {
  return name ?? text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)
}
