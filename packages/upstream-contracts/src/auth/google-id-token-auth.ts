import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import { problem } from '@melmastoon/domain'
import { fetchIdToken, type IdToken } from './fetch-id-token.ts'
import type { ServiceAuth } from './service-auth.ts'

export interface GoogleIdTokenOptions {
  /** Whom the token is for: the address of the upstream. */
  readonly audience: string
  readonly metadataUrl?: string
  readonly timeoutMs?: number
  /** How long before its end a token is replaced. */
  readonly refreshBeforeMs?: number
  /** Before the first of these a failed request is repeated, and so on. */
  readonly retryAfterMs?: readonly number[]
  /** After all of them failed. */
  readonly nextRoundMs?: number
  readonly clock?: Clock
  readonly onError?: (error: unknown) => void
}

const METADATA_URL = 'http://metadata.google.internal'
const TIMEOUT_MS = 2_000
/** The metadata server itself gives out a new token five minutes before the old one's end. */
const REFRESH_BEFORE_MS = 4 * 60_000
const RETRY_AFTER_MS = [100, 400, 1_600]
const NEXT_ROUND_MS = 15_000

/** Between real services: a token of Google that says which service account we run as. */
export function googleIdTokenAuth(options: GoogleIdTokenOptions): ServiceAuth {
  const { clock = systemClock } = options
  const keeper = new TokenKeeper(options, clock)
  return {
    ready: () => keeper.refresh(),
    headers() {
      const token = keeper.current(clock.nowMs())
      if (token !== null) return { authorization: `Bearer ${token}` }
      keeper.refreshSoon()
      const detail = 'no identity token at the moment'
      throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { detail })
    },
    [Symbol.dispose]: () => keeper[Symbol.dispose](),
  }
}

/** Holds the token that is sent, and replaces it in time, without anybody waiting for it. */
class TokenKeeper implements Disposable {
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

  /** One at a time, however many ask. */
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
          const detail = 'the metadata server gave no token'
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

  /** Also a token that came too late to be replaced in time is not asked for in a rush. */
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
