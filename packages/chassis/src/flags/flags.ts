import { Ajv } from 'ajv'
import type { Static, TSchema } from 'typebox'
import type { Redis } from '../redis/index.ts'

export interface FlagsOptions<S extends TSchema> {
  redis: Redis
  key: string
  schema: S
  defaults: Static<S>
  pollMs?: number
  onRefused?: (reason: string) => void
}

export interface Flags<T> extends Disposable {
  /** Never waits and never fails: the last good value, or the defaults. */
  current(): T
}

/** How long an operator waits at most for a switch to be seen everywhere. */
const POLL_MS = 30_000

/**
 * Feature flags and sample rates, read at once and then polled. Garbage in Redis, or no Redis,
 * keeps the last good value; a key that was removed brings the defaults back.
 */
export function createFlags<S extends TSchema>(options: FlagsOptions<S>): Flags<Static<S>> {
  const validate = new Ajv({ strict: false }).compile(options.schema)
  let value: Static<S> = options.defaults

  async function refresh(): Promise<void> {
    try {
      const text = await options.redis.get(options.key)
      value = text === null ? options.defaults : read(text)
    } catch (error) {
      options.onRefused?.(error instanceof SyntaxError ? 'not JSON' : 'not readable')
    }
  }

  function read(text: string): Static<S> {
    const merged: unknown = { ...(options.defaults as object), ...JSON.parse(text) }
    if (validate(merged)) return merged as Static<S>
    options.onRefused?.(validate.errors?.[0]?.instancePath ?? '')
    return value
  }

  const timer = setInterval(() => void refresh(), options.pollMs ?? POLL_MS)
  timer.unref()
  void refresh()
  return { current: () => value, [Symbol.dispose]: () => clearInterval(timer) }
}
