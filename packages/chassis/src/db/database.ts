import { idToUuid, type TenantId } from '@melmastoon/domain'
import { Pool } from 'pg'
import type { TimeLimit } from '../clock/index.ts'
import { Announcer, notifyWork } from './announcer.ts'
import { type DatabaseTlsSettings, databaseEndpoint } from './database-tls.ts'
import { fromPgError } from './pg-errors.ts'
import { type ConnectionOptions, PooledConnection, ServerActivity } from './pooled-connection.ts'
import { sql } from './sql.ts'
import { type Queryable, rowsOf, type Statement, type Transactor, type Tx } from './statement.ts'
import { runTransaction } from './transaction.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly poolMax: number
  /** Connections that stay open while they are idle. */
  readonly poolMin?: number
  /** How long the others stay open. */
  readonly idleTimeoutMs?: number
  readonly tls?: DatabaseTlsSettings | undefined
  /** Off behind a pooler that shares server connections between clients (PgBouncer). */
  readonly preparedStatements?: boolean
  /** Receives connections lost while idle and failed `onCommit` effects. */
  readonly onError: (error: unknown) => void
  /** Receives the topics that committed statements announce; by default others are notified. */
  readonly onAnnounced?: ((topic: string) => void) | undefined
  readonly applicationName?: string
  /** For a free connection, and for a new one to open. */
  readonly connectTimeoutMs?: number
  /** For callers without a deadline. Longer than the server's own `statement_timeout`. */
  readonly responseTimeoutMs?: number
}

export interface CallOptions {
  /**
   * Ends the wait for a connection and for the server (P17). Every request passes its deadline;
   * jobs and the relay have none and are bounded by `responseTimeoutMs`.
   */
  readonly deadline?: TimeLimit | undefined
}

export interface PoolState {
  readonly total: number
  readonly idle: number
  readonly waiting: number
}

/** The only access to Postgres. Tenant tables need `tenantQuery`, `withTenant` or `scoped` (D9). */
export interface Database extends AsyncDisposable, Queryable, Transactor {
  /** One statement on service-scoped tables. */
  query<R>(statement: Statement<R>, options?: CallOptions): Promise<R[]>
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: CallOptions): Promise<T>
  /** One statement in the tenant's scope, in one round trip. */
  tenantQuery<R>(tenantId: TenantId, statement: Statement<R>, options?: CallOptions): Promise<R[]>
  withTenant<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, options?: CallOptions): Promise<T>
  /** The same for callers with one tenant, or none, and one deadline. */
  scoped(tenantId: TenantId | null, options?: CallOptions): Queryable & Transactor
  poolState(): PoolState
}

const BEGIN = sql`begin`
/** Above the roles' `statement_timeout` of 5 s, so it only ends waits for a dead server. */
const RESPONSE_TIMEOUT_MS = 10_000

export function createDatabase(options: DatabaseOptions): Database {
  return new PoolDatabase(options)
}

const TENANTS_MAX = 4_096
const tenantScopes = new Map<TenantId, Statement<unknown>>()

/** Local to the explicit or implicit transaction: it is reset at the end of it in any case. */
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
  readonly #connection: ConnectionOptions
  readonly #onError: (error: unknown) => void
  readonly #announcer = new Announcer((topic) => this.query(notifyWork(`- ${topic}`)))
  readonly #onAnnounced: (topic: string) => void
  #ended: Promise<void> | undefined

  constructor(options: DatabaseOptions) {
    this.#onError = options.onError
    this.#onAnnounced = options.onAnnounced ?? ((topic) => this.#announcer.announce(topic))
    this.#connection = {
      named: options.preparedStatements ?? true,
      activity: new ServerActivity(),
      responseTimeoutMs: options.responseTimeoutMs ?? RESPONSE_TIMEOUT_MS,
    }
    this.#pool = new Pool({
      ...databaseEndpoint(options.url, options.tls),
      max: options.poolMax,
      min: Math.min(options.poolMin ?? 0, options.poolMax),
      connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
      idleTimeoutMillis: options.idleTimeoutMs ?? 30_000,
      keepAlive: true,
      application_name: options.applicationName ?? 'melmastoon',
    })
    this.#pool.on('error', (error) => this.#onError(fromPgError(error)))
    // The pool does not listen to a client in use, and an unhandled 'error' event ends the process.
    // The running query reports the loss itself.
    this.#pool.on('connect', (client) => client.on('error', () => undefined))
  }

  query<R>(statement: Statement<R>, options?: CallOptions): Promise<R[]> {
    return this.#single(statement, [statement], options)
  }

  async tenantQuery<R>(
    tenantId: TenantId,
    statement: Statement<R>,
    options?: CallOptions,
  ): Promise<R[]> {
    return this.#single(statement, [setTenant(tenantId), statement], options)
  }

  transaction<T>(work: (tx: Tx) => Promise<T>, options?: CallOptions): Promise<T> {
    return this.#transact([BEGIN], work, options)
  }

  async withTenant<T>(
    tenantId: TenantId,
    work: (tx: Tx) => Promise<T>,
    options?: CallOptions,
  ): Promise<T> {
    return this.#transact([BEGIN, setTenant(tenantId)], work, options)
  }

  scoped(tenantId: TenantId | null, options?: CallOptions): Queryable & Transactor {
    if (tenantId === null) {
      return {
        query: (statement) => this.query(statement, options),
        transaction: (work) => this.transaction(work, options),
      }
    }
    return {
      query: (statement) => this.tenantQuery(tenantId, statement, options),
      transaction: (work) => this.withTenant(tenantId, work, options),
    }
  }

  poolState(): PoolState {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { total: totalCount, idle: idleCount, waiting: waitingCount }
  }

  /** Waits for the connections that are in use. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#announcer[Symbol.dispose]()
    this.#ended ??= this.#pool.end()
    return this.#ended
  }

  async #single<R>(
    statement: Statement<R>,
    pipeline: Statement<unknown>[],
    options: CallOptions | undefined,
  ): Promise<R[]> {
    const connection = await this.#take(options)
    try {
      const { rows } = await connection.send(pipeline)
      if (connection.status() !== 'idle') throw new TypeError('a statement left a transaction open')
      this.#announce(statement.announces ?? [])
      return rowsOf(statement, rows)
    } finally {
      connection.release()
    }
  }

  /** Errors thrown by the work pass unchanged; only database errors become problems. */
  async #transact<T>(
    begin: Statement<unknown>[],
    work: (tx: Tx) => Promise<T>,
    options: CallOptions | undefined,
  ): Promise<T> {
    const connection = await this.#take(options)
    const running = runTransaction(connection, begin, work)
    const { value, effects, announced } = await running.finally(() => connection.release())
    this.#announce(announced)
    for (const effect of effects) await this.#afterCommit(effect)
    return value
  }

  #announce(topics: Iterable<string>): void {
    for (const topic of topics) this.#onAnnounced(topic)
  }

  async #afterCommit(effect: () => void | Promise<void>): Promise<void> {
    try {
      await effect()
    } catch (error) {
      this.#onError(error)
    }
  }

  async #take(options: CallOptions | undefined): Promise<PooledConnection> {
    try {
      return await PooledConnection.take(this.#pool, this.#connection, options?.deadline)
    } catch (error) {
      throw fromPgError(error)
    }
  }
}
