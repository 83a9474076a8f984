import { randomUUID } from 'node:crypto'
import { Announcer, channelOf, notifyWork } from './announcer.ts'
import type { DatabaseTlsSettings } from './database-tls.ts'
import { createListener, type Listener } from './listener.ts'
import type { Queryable } from './statement.ts'

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

export function createAnnouncements(options: AnnouncementsOptions): Announcements {
  return new PostgresAnnouncements(options)
}

class PostgresAnnouncements implements Announcements {
  readonly #options: AnnouncementsOptions
  readonly #sender = randomUUID().slice(0, 8)
  readonly #announcer = new Announcer((topic) => this.#notify(`${this.#sender} ${topic}`))
  readonly #subscribers = new Map<string, Set<() => void>>()
  #listener: Listener | undefined

  constructor(options: AnnouncementsOptions) {
    this.#options = options
  }

  /** Workers of this process need no notification. */
  announce(topic: string): void {
    this.#wake(topic)
    this.#announcer.announce(topic)
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
    this.#announcer[Symbol.dispose]()
    await this.#listener?.close()
  }

  #listen(): Listener {
    const { schema, url, tls, onError } = this.#options
    return createListener({
      channel: channelOf(schema),
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

  #notify(message: string): Promise<unknown> {
    return this.#options.send(notifyWork(message))
  }
}
