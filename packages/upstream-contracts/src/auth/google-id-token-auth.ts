import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { problem } from '@melmastoon/domain'
import { fetchIdToken, type IdToken } from './fetch-id-token.ts'
import type { ServiceAuth } from './service-auth.ts'

export interface GoogleIdTokenOptions {
  /** The audience of the token: the URL of the upstream. */
  readonly audience: string
  readonly metadataUrl?: string
  readonly timeoutMs?: number
  /** How long before its expiry a token is replaced. */
  readonly refreshBeforeMs?: number
  /** Delays before the retries of a failed request. */
  readonly retryAfterMs?: readonly number[]
  /** Delay after the last retry failed. */
  readonly nextRoundMs?: number
  readonly clock?: Clock
  readonly onError?: (error: unknown) => void
}

const METADATA_URL = 'http://metadata.google.internal'
const TIMEOUT_MS = 2_000
/** The metadata server issues a new token five minutes before the old one expires. */
const REFRESH_BEFORE_MS = 4 * 60_000
const RETRY_AFTER_MS = [100, 400, 1_600]
const NEXT_ROUND_MS = 15_000

/**
 * Between deployed services: an ID token of Google that names the service account of the caller.
 */
export function googleIdTokenAuth(options: GoogleIdTokenOptions): ServiceAuth {
  const { clock = systemClock } = options
  const keeper = new TokenRefresher(options, clock)
  return {
    ready: () => keeper.refresh(),
    headers() {
      const token = keeper.current(clock.nowMs())
      if (token !== null) return { authorization: `Bearer ${token}` }
      keeper.refreshSoon()
      const detail = 'no identity token is available'
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail })
    },
    [Symbol.dispose]: () => keeper[Symbol.dispose](),
  }
}

/** Holds the current token and replaces it in the background before it expires. */
class TokenRefresher implements Disposable {
  readonly #options: GoogleIdTokenOptions
  readonly #clock: Clock
  #held: IdToken | null = null
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #isOver = false

  constructor(options: GoogleIdTokenOptions, clock: Clock) {
    this.#options = options
    this.#clock = clock
  }

  current(nowMs: number): string | null {
    return this.#held !== null && this.#held.expiresAtMs > nowMs ? this.#held.token : null
  }

  refreshSoon(): void {
    this.refresh().catch((error: unknown) => this.#options.onError?.(error))
  }

  /** One request at a time, shared by all callers. */
  refresh(): Promise<void> {
    this.#running ??= this.#refresh().finally(() => {
      this.#running = null
      this.#schedule()
    })
    return this.#running
  }

  async #refresh(): Promise<void> {
    const { audience, metadataUrl = METADATA_URL, timeoutMs = TIMEOUT_MS } = this.#options
    const pauses = this.#options.retryAfterMs ?? RETRY_AFTER_MS
    for (const pauseMs of [...pauses, null]) {
      try {
        this.#held = await fetchIdToken({ audience, metadataUrl, timeoutMs })
        return
      } catch (cause) {
        if (pauseMs === null || this.#isOver) {
          const detail = 'the metadata server returned no token'
          throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail, cause })
        }
        await delay(pauseMs, undefined, { ref: false })
      }
    }
  }

  #schedule(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#isOver) return
    this.#timer = setTimeout(() => this.refreshSoon(), this.#waitMs())
    this.#timer.unref()
  }

  /** A token that expires too soon to be replaced in time does not cause a burst of requests. */
  #waitMs(): number {
    const { refreshBeforeMs = REFRESH_BEFORE_MS, nextRoundMs = NEXT_ROUND_MS } = this.#options
    if (this.#held === null) return nextRoundMs
    const leftMs = this.#held.expiresAtMs - this.#clock.nowMs() - refreshBeforeMs
    return Math.max(leftMs, nextRoundMs)
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
