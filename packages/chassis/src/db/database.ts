import { idToUuid, type TenantId } from '@melmastoon/domain'
import { Pool } from 'pg'
import { LentClient } from './lent-client.ts'
import { fromPgError } from './pg-errors.ts'
import { rowsOf } from './rows.ts'
import { sql } from './sql.ts'
import type { Queryable, Statement, Transactor, Tx } from './statement.ts'
import { runTransaction } from './transaction.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly poolMax: number
  /** Off behind a pooler that shares server connections between clients (PgBouncer). */
  readonly preparedStatements?: boolean
  /** Hears of connections lost while idle and of failed `onCommit` effects. */
  readonly onError: (error: unknown) => void
  readonly applicationName?: string
  /** For a free connection, and for a new one to open. */
  readonly connectTimeoutMs?: number
  readonly responseTimeoutMs?: number
}

export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** The only way to Postgres. Tenant tables answer in `tenantQuery` and `withTenant` alone (D9). */
export interface Database extends AsyncDisposable, Queryable, Transactor {
  /** One statement on service-scoped tables. */
  query<R>(statement: Statement<R>): Promise<R[]>
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One statement in the tenant's scope, in one round trip. */
  tenantQuery<R>(tenantId: TenantId, statement: Statement<R>): Promise<R[]>
  withTenant<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T>
  scoped(tenantId: TenantId | null): Queryable & Transactor
  poolState(): PoolState
}

const BEGIN = sql`begin`

export function createDatabase(options: DatabaseOptions): Database {
  return new PoolDatabase(options)
}

const TENANTS_MAX = 4_096
const tenantScopes = new Map<TenantId, Statement<unknown>>()

/** Local to the transaction, explicit or implicit: it ends with it, whichever way that ends. */
function setTenant(tenantId: TenantId): Statement<unknown> {
  const known = tenantScopes.get(tenantId)
  if (known !== undefined) return known
  const scope = sql`select set_config('app.tenant_id', ${idToUuid(tenantId)}, true)`
  if (tenantScopes.size >= TENANTS_MAX) tenantScopes.clear()
  tenantScopes.set(tenantId, scope)
  return scope
}

class PoolDatabase implements Database {
  readonly #pool: Pool
  readonly #wire: { named: boolean; responseTimeoutMs: number }
  readonly #onError: (error: unknown) => void
  #ended: Promise<void> | undefined

  constructor(options: DatabaseOptions) {
    this.#onError = options.onError
    this.#wire = {
      named: options.preparedStatements ?? true,
      responseTimeoutMs: options.responseTimeoutMs ?? 15_000,
    }
    this.#pool = new Pool({
      connectionString: options.url,
      max: options.poolMax,
      connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: options.applicationName ?? 'melmastoon',
    })
    this.#pool.on('error', (error) => this.#onError(fromPgError(error)))
    // While a client is lent out the pool does not listen to it, and an 'error' nobody listens to
    // ends the process. The query in flight reports the loss itself.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  query<R>(statement: Statement<R>): Promise<R[]> {
    return this.#single(statement, [statement])
  }

  async tenantQuery<R>(tenantId: TenantId, statement: Statement<R>): Promise<R[]> {
    return this.#single(statement, [setTenant(tenantId), statement])
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact([BEGIN], work)
  }

  async withTenant<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transact([BEGIN, setTenant(tenantId)], work)
  }

  scoped(tenantId: TenantId | null): Queryable & Transactor {
    if (tenantId === null) return this
    return {
      query: (statement) => this.tenantQuery(tenantId, statement),
      transaction: (work) => this.withTenant(tenantId, work),
    }
  }

  poolState(): PoolState {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { total: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** Waits for the connections that are lent out. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ended ??= this.#pool.end()
    return this.#ended
  }

  async #single<R>(statement: Statement<R>, flight: Statement<unknown>[]): Promise<R[]> {
    const client = await this.#take()
    try {
      const { rows } = await client.send(flight)
      if (client.status() !== 'idle') throw new TypeError('a statement left a transaction open')
      return rowsOf(statement, rows)
    } finally {
      client.release()
    }
  }

  /** What the work itself throws passes unchanged; only our own traffic becomes problems. */
  async #transact<T>(begin: Statement<unknown>[], work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#take()
    const running = runTransaction(client, begin, work)
    const { value, effects } = await running.finally(() => client.release())
    for (const effect of effects) await this.#afterCommit(effect)
    return value
  }

  async #afterCommit(effect: () => void | Promise<void>): Promise<void> {
    try {
      await effect()
    } catch (error) {
      this.#onError(error)
    }
  }

  async #take(): Promise<LentClient> {
    try {
      return await LentClient.take(this.#pool, this.#wire)
    } catch (error) {
      throw fromPgError(error)
    }
  }
}
