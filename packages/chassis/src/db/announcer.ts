import { sql } from './sql.ts'
import type { Statement } from './statement.ts'

/** At most one notification of a process per topic and interval; the first is sent immediately. */
const INTERVAL_MS = 50

/** Sends announcements, not more often than others have to be woken. */
export class Announcer implements Disposable {
  readonly #send: (topic: string) => Promise<unknown>
  /** Topics sent within the last interval; true: announced again since. */
  readonly #recent = new Map<string, boolean>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(send: (topic: string) => Promise<unknown>) {
    this.#send = send
  }

  announce(topic: string): void {
    if (this.#recent.has(topic)) this.#recent.set(topic, true)
    else this.#sendNow(topic)
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #sendNow(topic: string): void {
    this.#recent.set(topic, false)
    const timer = setTimeout(() => this.#endInterval(topic, timer), INTERVAL_MS)
    timer.unref()
    this.#timers.add(timer)
    // Lost with an unavailable database: the others find the work with their next poll.
    this.#send(topic).catch(() => undefined)
  }

  #endInterval(topic: string, timer: NodeJS.Timeout): void {
    this.#timers.delete(timer)
    const isAnnouncedAgain = this.#recent.get(topic) === true
    this.#recent.delete(topic)
    if (isAnnouncedAgain) this.#sendNow(topic)
  }
}

/** The channel of a service; its roles find their tables in its schema. */
export const channelOf = (schema: string) => `${schema}_work`

/**
 * Never part of the transaction that writes: all commits with a notification wait for each other,
 * the flush to disk included. This one has nothing to flush.
 */
export function notifyWork(message: string): Statement<unknown> {
  return sql`select set_config('synchronous_commit', 'off', true),
    pg_notify(current_schema() || '_work', ${message})`
}
