import { problem } from '@melmastoon/domain'
import type { LentClient } from './lent-client.ts'
import { rowsOf } from './rows.ts'
import { sql } from './sql.ts'
import type { Statement, Tx } from './statement.ts'

const COMMIT = sql`commit`
const ROLLBACK = sql`rollback`

type Effect = () => void | Promise<void>

/** The open transaction as its work sees it; {@link runTransaction} decides how it ends. */
class OpenTx implements Tx {
  readonly effects: Effect[] = []
  readonly #client: LentClient
  #last: Promise<unknown> = Promise.resolve()
  #hasEnded = false
  #failure: { error: unknown } | undefined

  constructor(client: LentClient) {
    this.#client = client
  }

  onCommit(effect: Effect): void {
    this.#refuseWhenEnded()
    this.effects.push(effect)
  }

  query<R>(statement: Statement<R>): Promise<R[]> {
    const answer = this.#last.then(() => this.#run(statement))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #run<R>(statement: Statement<R>): Promise<R[]> {
    this.#refuseWhenEnded()
    try {
      const { rows } = await this.#client.send([statement])
      if (this.#client.status() !== 'open') throw new TypeError('a statement ended the transaction')
      return rowsOf(statement, rows)
    } catch (error) {
      if (this.#client.status() !== 'open') this.#failure ??= { error }
      throw error
    }
  }

  #refuseWhenEnded(): void {
    if (this.#hasEnded) throw new TypeError('the transaction has ended')
  }

  /** Stops new queries, waits for the one in flight, tells what broke the transaction, if any. */
  async end(): Promise<{ error: unknown } | undefined> {
    this.#hasEnded = true
    await this.#last
    return this.#failure
  }
}

export interface TransactionResult<T> {
  readonly value: T
  readonly effects: readonly Effect[]
}

/** Runs `work` between `begin` and COMMIT; whatever it throws rolls back and is thrown again. */
export async function runTransaction<T>(
  client: LentClient,
  begin: readonly Statement<unknown>[],
  work: (tx: Tx) => Promise<T>,
): Promise<TransactionResult<T>> {
  await client.send(begin)
  const tx = new OpenTx(client)
  try {
    const value = await work(tx)
    const failure = await tx.end()
    if (failure !== undefined) throw failure.error
    await commit(client)
    return { value, effects: tx.effects }
  } catch (error) {
    await tx.end()
    await rollback(client)
    throw error
  }
}

async function commit(client: LentClient): Promise<void> {
  const { tag } = await client.send([COMMIT])
  if (tag === 'COMMIT') return
  const detail = 'Postgres rolled the transaction back'
  throw problem('MELMASTOON.GENERAL.INTERNAL', { detail })
}

/** A rollback that fails leaves a connection nobody may use again. */
async function rollback(client: LentClient): Promise<void> {
  if (client.status() === 'idle') return
  try {
    await client.send([ROLLBACK])
  } catch {
    client.distrust()
  }
}
