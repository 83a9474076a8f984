import type { Redis } from '../redis/index.ts'

export interface PollOptions {
  readonly redis: Redis
  /** The name under which the platform publishes it (P15), without the service's key space. */
  readonly key: string
  readonly pollMs?: number
  readonly onRejected?: (reason: string) => void
}

export interface PolledDocument<V> extends Disposable {
  current(): V
}

/** A document that is JSON but not valid; the reason is reported, never the content. */
export class DocumentRejected extends Error {}

/** The longest time until a changed flag is in effect everywhere. */
const POLL_MS = 30_000

/**
 * A JSON document in Redis, read at the start and then polled. With an invalid one, or without
 * Redis, the last valid one stays in use; without the key the initial value applies.
 */
export function pollDocument<V>(
  options: PollOptions,
  initial: V,
  read: (document: unknown) => V,
): PolledDocument<V> {
  const { redis, key, pollMs = POLL_MS, onRejected } = options
  let value = initial

  async function refresh(): Promise<void> {
    try {
      const text = await redis.get(key)
      value = text === null ? initial : read(JSON.parse(text))
    } catch (error) {
      onRejected?.(reasonOf(error))
    }
  }

  const timer = setInterval(() => void refresh(), pollMs)
  timer.unref()
  void refresh()
  return { current: () => value, [Symbol.dispose]: () => clearInterval(timer) }
}

function reasonOf(error: unknown): string {
  if (error instanceof DocumentRejected) return error.message
  return error instanceof SyntaxError ? 'not JSON' : 'not readable'
}
