import { isReady, type Redis } from '../redis/index.ts'

/** A read that was sent and has not reached the server yet cannot be interrupted. */
const INTERRUPT_AGAIN_MS = 20

export interface BlockingReadsOptions {
  redis: Redis
  name: string
  blockMs: number
  onError: (error: Error) => void
}

/** A connection of its own for reads that wait at the server, and can be interrupted. */
export class BlockingReads {
  readonly #redis: Redis
  readonly #connection: Redis
  #isWaiting = false
  #hasEnded = false
  /** Of the connection, at the server. */
  #id: number | undefined

  constructor({ redis, name, blockMs, onError }: BlockingReadsOptions) {
    this.#redis = redis
    this.#connection = redis.duplicate(settingsOf(name, blockMs))
    this.#connection.on('error', onError)
    this.#connection.on('ready', () => void this.#identify())
  }

  isReady(): boolean {
    return isReady(this.#connection)
  }

  async read(command: string, args: (string | number)[]): Promise<unknown> {
    this.#isWaiting = true
    try {
      return await this.#connection.call(command, args)
    } finally {
      this.#isWaiting = false
    }
  }

  /** The waiting read returns as if its time were over. */
  async interrupt(): Promise<void> {
    while (this.#isWaiting && !this.#hasEnded && this.#id !== undefined) {
      if ((await this.#redis.client('UNBLOCK', this.#id)) === 1) return
      await new Promise((resolve) => setTimeout(resolve, INTERRUPT_AGAIN_MS))
    }
  }

  end(): void {
    this.#hasEnded = true
    this.#connection.disconnect()
  }

  async #identify(): Promise<void> {
    this.#id = undefined
    this.#id = await this.#connection.client('ID').catch(() => undefined)
  }
}

/**
 * A read is never queued or repeated automatically: by then another process may hold the lease.
 * Because it blocks, its time limits are longer than those of a command.
 */
function settingsOf(name: string, blockMs: number) {
  return {
    connectionName: name,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    // An unreachable peer does not confirm the disconnection either.
    disconnectTimeout: 100,
    commandTimeout: blockMs + 3_000,
    socketTimeout: blockMs + 4_000,
  }
}
