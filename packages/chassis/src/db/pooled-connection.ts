import { type Problem, problem } from '@melmastoon/domain'
import type { Pool, PoolClient } from 'pg'
import { DatabaseError } from 'pg'
import type { TimeLimit } from '../clock/index.ts'
import { fromPgError, isPoolWait, poolWaitError } from './pg-errors.ts'
import { Pipeline, type PipelineResult } from './pipeline.ts'
import type { Statement } from './statement.ts'

/** Distinguishes an unresponsive server from a pool that is too small for the load. */
export class ServerActivity {
  /** Pipelines and connection attempts without a response so far. */
  pending = 0
  responses = 0
  /** Those that ended without one. */
  failures = 0

  /** True when something was or is pending and nothing has responded since. */
  isSilentSince(before: { readonly responses: number; readonly failures: number }): boolean {
    const isTried = this.pending > 0 || this.failures > before.failures
    return isTried && this.responses === before.responses
  }
}

export interface ConnectionOptions {
  readonly named: boolean
  readonly activity: ServerActivity
  /** Bounds every wait for the server where the caller has no deadline (jobs, the relay). */
  readonly responseTimeoutMs: number
}

/**
 * One connection taken from the pool. It is returned only in a clean state: no protocol error, no
 * lost socket, no open transaction; otherwise it is closed. A deadline bounds
 * the wait for the connection and every wait for the server; a connection whose server did not
 * respond in time is destroyed, because its response may still arrive.
 */
export class PooledConnection {
  readonly #client: PoolClient
  readonly #options: ConnectionOptions
  readonly #deadline: TimeLimit | undefined
  #doubtful = false

  constructor(client: PoolClient, options: ConnectionOptions, deadline: TimeLimit | undefined) {
    this.#client = client
    this.#options = options
    this.#deadline = deadline
  }

  static async take(
    pool: Pool,
    options: ConnectionOptions,
    deadline: TimeLimit | undefined,
  ): Promise<PooledConnection> {
    if (isOver(deadline)) throw deadlineExceeded()
    const client = await connect(pool, options.activity, deadline)
    return new PooledConnection(client, options, deadline)
  }

  /**
   * Resolves or rejects only when the server is ready for the next pipeline, or lost. Past the
   * deadline nothing is sent: its outcome would be unknown, and the connection lost.
   */
  send(statements: readonly Statement<unknown>[]): Promise<PipelineResult> {
    if (this.isExpired()) return Promise.reject(deadlineExceeded())
    const { activity } = this.#options
    const timeoutMs = this.#timeoutMs()
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        activity.pending -= 1
      }
      const fail = (error: unknown) => {
        settle()
        reject(fromPgError(error))
      }
      const pipeline = new Pipeline(statements, this.#options.named, {
        resolve(result) {
          settle()
          activity.responses += 1
          resolve(result)
        },
        reject: (error, isReady) => (isReady ? fail(error) : this.#failWhenReady(error, fail)),
      })
      const timer = setTimeout(this.#destroy, timeoutMs)
      activity.pending += 1
      this.#client.query(pipeline)
    })
  }

  status(): 'idle' | 'open' | 'failed' {
    const status = this.#client.getTransactionStatus()
    if (status === 'I') return 'idle'
    return status === 'T' ? 'open' : 'failed'
  }

  isExpired(): boolean {
    return isOver(this.#deadline)
  }

  discardOnRelease(): void {
    this.#doubtful = true
  }

  release(): void {
    this.#client.release(this.#doubtful || this.status() !== 'idle')
  }

  #timeoutMs(): number {
    const { responseTimeoutMs } = this.#options
    return Math.min(responseTimeoutMs, this.#deadline?.remainingMs() ?? responseTimeoutMs)
  }

  readonly #destroy = () => {
    this.#options.activity.failures += 1
    this.#doubtful = true
    this.#client.connection.stream.destroy()
  }

  /**
   * pg reports an error when it reads the ErrorResponse, before the server is ready again. Waiting
   * for `drain` (its ReadyForQuery) ensures that the transaction status is correct.
   */
  #failWhenReady(error: unknown, reject: (error: unknown) => void): void {
    if (!(error instanceof DatabaseError) || error.severity !== 'ERROR') {
      this.#doubtful = true
      reject(error)
      return
    }
    const finish = (lost: boolean) => () => {
      this.#client.off('drain', onReady).off('end', onLost)
      this.#doubtful ||= lost
      reject(error)
    }
    const onReady = finish(false)
    const onLost = finish(true)
    this.#client.on('drain', onReady).on('end', onLost)
  }
}

function isOver(deadline: TimeLimit | undefined): boolean {
  return deadline?.remainingMs() === 0
}

function deadlineExceeded(): Problem {
  return problem('MELMASTOON.GENERAL.DEADLINE_EXCEEDED')
}

/** An idle connection is available immediately, so the common case needs no timer. */
async function connect(
  pool: Pool,
  activity: ServerActivity,
  deadline: TimeLimit | undefined,
): Promise<PoolClient> {
  if (pool.idleCount > pool.waitingCount) return pool.connect()
  const before = { responses: activity.responses, failures: activity.failures }
  const isNew = pool.totalCount < pool.options.max
  if (isNew) activity.pending += 1
  try {
    return await connectWithin(pool, deadline)
  } catch (error) {
    if (isNew) activity.failures += 1
    if (!isPoolWait(error) || !activity.isSilentSince(before)) throw error
    const detail = 'Postgres does not respond'
    throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause: error })
  } finally {
    if (isNew) activity.pending -= 1
  }
}

function connectWithin(pool: Pool, deadline: TimeLimit | undefined): Promise<PoolClient> {
  if (deadline === undefined) return pool.connect()
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(poolWaitError())
    }, deadline.remainingMs())
    pool.connect().then(
      (client) => {
        clearTimeout(timer)
        if (isLate) client.release()
        else resolve(client)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
