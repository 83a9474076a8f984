import { randomUUID } from 'node:crypto'
import { createListener, type Listener } from './listener.ts'
import type { DatabaseTlsSettings } from './database-tls.ts'
import { sql } from './sql.ts'
import type { Queryable, Statement } from './statement.ts'

/**
 * Wakes workers of all processes when work for them was committed, so that idle workers need not
 * poll at short intervals. Only a hint: a worker polls slowly in any case, and quickly while
 * `isListening` is false (a pooler between transactions delivers no notifications).
 */
export interface Announcements extends AsyncDisposable {
  announce(topic: string): void
  /** `wake` is also called when announcements may have been missed. Returns how to end it. */
  subscribe(topic: string, wake: () => void): () => void
  isListening(): boolean
}

export interface AnnouncementsOptions {
  readonly schema: string
  /** A connection of its own, opened with the first subscription. */
  readonly url: string
  readonly tls?: DatabaseTlsSettings | undefined
  readonly send: Queryable['query']
  readonly onError: (error: unknown) => void
}

/** At most one notification of a process per topic and interval; the first is sent immediately. */
const INTERVAL_MS = 50

export function createAnnouncements(options: AnnouncementsOptions): Announcements {
  return new PostgresAnnouncements(options)
}

class PostgresAnnouncements implements Announcements {
  readonly #options: AnnouncementsOptions
  readonly #channel: string
  readonly #sender = randomUUID().slice(0, 8)
  readonly #subscribers = new Map<string, Set<() => void>>()
  /** Topics sent within the last interval; true: announced again since. */
  readonly #recent = new Map<string, boolean>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #listener: Listener | undefined

  constructor(options: AnnouncementsOptions) {
    this.#options = options
    this.#channel = `${options.schema}_work`
  }

  announce(topic: string): void {
    this.#wake(topic)
    if (this.#recent.has(topic)) this.#recent.set(topic, true)
    else this.#send(topic)
  }

  subscribe(topic: string, wake: () => void): () => void {
    const set = this.#subscribers.get(topic) ?? new Set()
    this.#subscribers.set(topic, set.add(wake))
    this.#listener ??= this.#listen()
    return () => set.delete(wake)
  }

  isListening(): boolean {
    return this.#listener?.isListening() ?? false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#listener?.close()
  }

  #listen(): Listener {
    const { url, tls, onError } = this.#options
    return createListener({
      channel: this.#channel,
      url,
      tls,
      onError,
      notify: (message) => this.#notify(message),
      onMessage: (message) => {
        const [sender, topic = ''] = message.split(' ')
        if (sender !== this.#sender) this.#wake(topic)
      },
      onListening: () => {
        for (const topic of this.#subscribers.keys()) this.#wake(topic)
      },
    })
  }

  #wake(topic: string): void {
    for (const wake of this.#subscribers.get(topic) ?? []) wake()
  }

  #send(topic: string): void {
    this.#recent.set(topic, false)
    const timer = setTimeout(() => this.#endInterval(topic, timer), INTERVAL_MS)
    timer.unref()
    this.#timers.add(timer)
    // Lost with an unavailable database: the others find the work with their next poll.
    this.#notify(`${this.#sender} ${topic}`).catch(() => undefined)
  }

  #notify(message: string): Promise<unknown> {
    return this.#options.send(notify(this.#channel, message))
  }

  #endInterval(topic: string, timer: NodeJS.Timeout): void {
    this.#timers.delete(timer)
    const isAnnouncedAgain = this.#recent.get(topic) === true
    this.#recent.delete(topic)
    if (isAnnouncedAgain) this.#send(topic)
  }
}

/**
 * Never part of the transaction that writes: all commits with a notification wait for each other,
 * the flush to disk included. This one has nothing to flush.
 */
function notify(channel: string, message: string): Statement<unknown> {
  return sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${message})`
}
