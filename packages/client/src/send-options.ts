import type { SendFunction } from './cookie-jar.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import type { SendOptions } from './send-request.ts'

/** How requests are sent and repeated. */
export interface ConnectionOptions {
  /** By default the `fetch` of the environment; in Node `keepCookies()` for a session. */
  readonly fetch?: SendFunction
  /** For a call with all its attempts; a call's own `signal` can end it sooner. 10 s by default. */
  readonly timeoutMs?: number
  /** Further attempts after a temporary failure, while the time allows. 2 by default. */
  readonly retries?: number
  /** Before the second attempt, 100 ms by default; it doubles with each further attempt. */
  readonly firstPauseMs?: number
  /** A number from 0 to 1 that varies the pauses. */
  readonly random?: () => number
  /** Generates the idempotency key of a mutation. */
  readonly newKey?: () => string
}

const TIMEOUT_MS = 10_000
const RETRIES = 2
const FIRST_PAUSE_MS = 100

export function sendOptions(options: ConnectionOptions): SendOptions {
  return {
    fetch: options.fetch ?? ((request: Request) => fetch(request)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    retries: options.retries ?? RETRIES,
    firstPauseMs: options.firstPauseMs ?? FIRST_PAUSE_MS,
    random: options.random ?? randomShare,
    newKey: options.newKey ?? newIdempotencyKey,
  }
}

function randomShare(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
  return value / 2 ** 32
}
