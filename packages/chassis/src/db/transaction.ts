import { problem } from '@melmastoon/domain'
import type { PooledConnection } from './pooled-connection.ts'
import { sql } from './sql.ts'
import { rowsOf, type Statement, type Tx } from './statement.ts'

const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

type Effect = () => void | Promise<void>

/** The open transaction as its work sees it; {@link runTransaction} decides how it ends. */
class OpenTx implements Tx {
  readonly effects: Effect[] = []
  readonly announced = new Set<string>()
  readonly #connection: PooledConnection
  #last: Promise<unknown> = Promise.resolve()
  #hasEnded = false
  #failure: { error: unknown } | undefined

  constructor(connection: PooledConnection) {
    this.#connection = connection
  }

  onCommit(effect: Effect): void {
    this.#assertNotEnded()
    this.effects.push(effect)
  }

  query<R>(statement: Statement<R>): Promise<R[]> {
    const rows = this.#last.then(() => this.#run(statement))
    this.#last = rows.catch(() => undefined)
    return rows
  }

  async #run<R>(statement: Statement<R>): Promise<R[]> {
    this.#assertNotEnded()
    try {
      const { rows } = await this.#connection.send([statement])
      if (this.#connection.status() !== 'open')
        throw new TypeError('a statement ended the transaction')
      for (const topic of statement.announces ?? []) this.announced.add(topic)
      return rowsOf(statement, rows)
    } catch (error) {
      if (this.#connection.status() !== 'open') this.#failure ??= { error }
      throw error
    }
  }

  #assertNotEnded(): void {
    if (this.#hasEnded) throw new TypeError('the transaction has ended')
  }

  /** Stops new queries, waits for the running one, returns the error that broke the transaction. */
  async end(): Promise<{ error: unknown } | undefined> {
    this.#hasEnded = true
    await this.#last
    return this.#failure
  }
}

export interface TransactionResult<T> {
  readonly value: T
  readonly effects: readonly Effect[]
  /** Topics of the work that the transaction wrote. */
  readonly announced: ReadonlySet<string>
}

/** Runs `work` between `begin` and COMMIT; an error rolls back and is rethrown. */
export async function runTransaction<T>(
  connection: PooledConnection,
  begin: readonly Statement<unknown>[],
  work: (tx: Tx) => Promise<T>,
): Promise<TransactionResult<T>> {
  await connection.send(begin)
  const tx = new OpenTx(connection)
  try {
    const value = await work(tx)
    const failure = await tx.end()
    if (failure !== undefined) throw failure.error
    await commit(connection)
    return { value, effects: tx.effects, announced: tx.announced }
  } catch (error) {
    await tx.end()
    await rollback(connection)
    throw error
  }
}

async function commit(connection: PooledConnection): Promise<void> {
  const { tag } = await connection.send([COMMIT])
  if (tag === 'COMMIT') return
  const detail = 'Postgres rolled the transaction back'
  throw problem('MELMASTOON.GENERAL.INTERNAL', { detail })
}

/**
 * A rollback that fails leaves a connection that must not be used again. After the deadline the
 * connection is closed instead, which makes the server roll back, and the caller waits no longer.
 */
async function rollback(connection: PooledConnection): Promise<void> {
  if (connection.status() === 'idle') return
  if (connection.isExpired()) return connection.discardOnRelease()
  try {
    await connection.send([ROLLBACK])
  } catch {
    connection.discardOnRelease()
  }
}
