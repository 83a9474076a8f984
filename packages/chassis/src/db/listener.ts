import { randomInt, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { pause } from '../clock/index.ts'
import { type DatabaseTlsSettings, databaseEndpoint } from './database-tls.ts'
import { fromPgError } from './pg-errors.ts'

export interface Listener {
  /** True while the server delivers notifications to this connection. */
  isListening(): boolean
  close(): Promise<void>
}

export interface ListenerOptions {
  readonly channel: string
  readonly url: string
  readonly tls?: DatabaseTlsSettings | undefined
  /**
   * Sends a notification through another connection: a pooler delivers those of the own one while
   * its statement runs.
   */
  readonly notify: (message: string) => Promise<unknown>
  readonly onMessage: (message: string) => void
  /** Earlier notifications may have been missed. */
  readonly onListening: () => void
  readonly onError: (error: unknown) => void
}

const RETRY_MIN_MS = 250
const RETRY_MAX_MS = 10_000
/** Behind a pooler that shares connections, LISTEN succeeds and nothing is ever delivered. */
const PROBE_MS = 2_000
/** A pooler is not going to become a server: another attempt is rarely useful. */
const UNDELIVERED_RETRY_MS = 60_000

/** A connection that listens to one channel, and is opened again whenever it is lost. */
export function createListener(options: ListenerOptions): Listener {
  return new ReconnectingListener(options)
}

class ReconnectingListener implements Listener {
  readonly #options: ListenerOptions
  readonly #ended = new AbortController()
  readonly #running: Promise<void>
  #isListening = false

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  isListening(): boolean {
    return this.#isListening
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#ended.signal.aborted) {
      const outcome = await this.#listenOnce()
      if (this.#ended.signal.aborted) return
      failures = outcome === 'lost' ? 1 : failures + 1
      const ceilingMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(failures, 10))
      const pauseMs = outcome === 'undelivered' ? UNDELIVERED_RETRY_MS : randomInt(1, ceilingMs)
      await pause(pauseMs, this.#ended.signal)
    }
  }

  /** Resolves when the connection cannot be used, or no longer. */
  async #listenOnce(): Promise<'failed' | 'undelivered' | 'lost'> {
    const { url, tls, onListening, onError } = this.#options
    const client = new Client({
      ...databaseEndpoint(url, tls),
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      application_name: 'melmastoon listener',
    })
    const lost = this.#lossOf(client)
    try {
      await client.connect()
      if (!(await this.#startListening(client))) return 'undelivered'
      this.#isListening = true
      onListening()
      await lost
      return 'lost'
    } catch (error) {
      onError(fromPgError(error))
      return 'failed'
    } finally {
      this.#isListening = false
      await client.end().catch(() => undefined)
    }
  }

  /** Also resolves when the listener is closed. */
  #lossOf(client: Client): Promise<void> {
    return new Promise((resolve) => {
      client.on('error', () => resolve()).on('end', () => resolve())
      this.#ended.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  /** Whether a notification from another connection arrives. */
  async #startListening(client: Client): Promise<boolean> {
    const { channel, notify, onMessage } = this.#options
    const probe = `probe-${randomUUID()}`
    const { promise: arrived, resolve } = Promise.withResolvers<boolean>()
    client.on('notification', ({ payload = '' }) => {
      if (payload === probe) resolve(true)
      else onMessage(payload)
    })
    await client.query(`listen ${client.escapeIdentifier(channel)}`)
    await notify(probe)
    const timer = setTimeout(() => resolve(false), PROBE_MS)
    return await arrived.finally(() => clearTimeout(timer))
  }
}
