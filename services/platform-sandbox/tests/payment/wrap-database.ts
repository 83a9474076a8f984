import type { Database, Statement, Tx } from '@melmastoon/chassis/db'

export interface Wrapping {
  /** Called before every statement. */
  readonly before?: (text: string) => Promise<void>
  /** Called after its result. */
  readonly after?: (text: string) => Promise<void>
  /** Replaces the statement. */
  readonly edit?: (text: string) => string
}

/** The same database, with delayed or changed statements. */
export function wrapDatabase(db: Database, wrapping: Wrapping): Database {
  const send = async <R>(statement: Statement<R>, run: (changed: Statement<R>) => Promise<R[]>) => {
    const { text, values } = statement
    await wrapping.before?.(text)
    const rows = await run({ text: wrapping.edit?.(text) ?? text, values })
    await wrapping.after?.(text)
    return rows
  }
  const wrapTx = (tx: Tx): Tx => ({
    onCommit: (effect) => tx.onCommit(effect),
    query: (statement) => send(statement, (changed) => tx.query(changed)),
  })
  return {
    query: (statement) => send(statement, (changed) => db.query(changed)),
    tenantQuery: (tenantId, statement) =>
      send(statement, (changed) => db.tenantQuery(tenantId, changed)),
    transaction: (work) => db.transaction((tx) => work(wrapTx(tx))),
    withTenant: (tenantId, work) => db.withTenant(tenantId, (tx) => work(wrapTx(tx))),
    scoped: (tenantId) => db.scoped(tenantId),
    poolState: () => db.poolState(),
    [Symbol.asyncDispose]: async () => undefined,
  }
}
