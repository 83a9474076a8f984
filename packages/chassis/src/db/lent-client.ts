import type { Pool, PoolClient } from 'pg'
import { DatabaseError } from 'pg'
import { Flight, type FlightResult } from './flight.ts'
import { fromPgError } from './pg-errors.ts'
import type { Statement } from './statement.ts'

export interface WireOptions {
  readonly named: boolean
  /** Longer than the server's own statement_timeout: it only ends waits for a server gone mute. */
  readonly responseTimeoutMs: number
}

/**
 * One connection lent by the pool. It goes back only when nothing about it is in doubt: no
 * protocol error, no lost socket, no open transaction; otherwise it is closed.
 */
export class LentClient {
  readonly #client: PoolClient
  readonly #options: WireOptions
  #doubtful = false

  constructor(client: PoolClient, options: WireOptions) {
    this.#client = client
    this.#options = options
  }

  static async take(pool: Pool, options: WireOptions): Promise<LentClient> {
    return new LentClient(await pool.connect(), options)
  }

  /** Resolves or rejects only when the server is ready for the next flight, or lost. */
  send(statements: readonly Statement<unknown>[]): Promise<FlightResult> {
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => {
        clearTimeout(timer)
        reject(fromPgError(error))
      }
      const flight = new Flight(statements, this.#options.named, {
        resolve(result) {
          clearTimeout(timer)
          resolve(result)
        },
        reject: (error, isReady) => (isReady ? refuse(error) : this.#settle(error, refuse)),
      })
      const timer = setTimeout(this.#giveUp, this.#options.responseTimeoutMs)
      this.#client.query(flight)
    })
  }

  status(): 'idle' | 'open' | 'failed' {
    const status = this.#client.getTransactionStatus()
    if (status === 'I') return 'idle'
    return status === 'T' ? 'open' : 'failed'
  }

  distrust(): void {
    this.#doubtful = true
  }

  release(): void {
    this.#client.release(this.#doubtful || this.status() !== 'idle')
  }

  readonly #giveUp = () => {
    this.#doubtful = true
    this.#client.connection.stream.destroy()
  }

  /**
   * pg reports an error when it reads the ErrorResponse, before the server is ready again. Waiting
   * for `drain` (its ReadyForQuery) keeps the next flight and the transaction status honest.
   */
  #settle(error: unknown, reject: (error: unknown) => void): void {
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
