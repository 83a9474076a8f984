import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'
import type { Redis } from '../redis/index.ts'

export interface FlagsOptions<S extends TSchema> {
  redis: Redis
  key: string
  schema: S
  defaults: Static<S>
  pollMs?: number
  onRejected?: (reason: string) => void
}

export interface Flags<T> extends Disposable {
  /** Never waits and never fails: the last valid value, or the defaults. */
  current(): T
}

/** The longest time until a changed flag is in effect everywhere. */
const POLL_MS = 30_000

/**
 * Feature flags and sample rates, read at the start and then polled. With an invalid value, or
 * without Redis, the last valid one stays in use; without the key the defaults apply. The key has
 * the name under which the platform publishes the flags (P15), without the service's key space.
 */
export function createFlags<S extends TSchema>(options: FlagsOptions<S>): Flags<Static<S>> {
  const validate = new Ajv({ strict: false }).compile(options.schema)
  let value: Static<S> = options.defaults

  async function refresh(): Promise<void> {
    try {
      const text = await options.redis.get(options.key)
      value = text === null ? options.defaults : read(text)
    } catch (error) {
      options.onRejected?.(error instanceof SyntaxError ? 'not JSON' : 'not readable')
    }
  }

  function read(text: string): Static<S> {
    const merged: unknown = { ...(options.defaults as object), ...JSON.parse(text) }
    if (validate(merged)) return merged as Static<S>
    options.onRejected?.(validate.errors?.[0]?.instancePath ?? '')
    return value
  }

  const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS)
  timer.unref()
  void refresh()
  return { current: () => value, [Symbol.dispose]: () => clearInterval(timer) }
}
