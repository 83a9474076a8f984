export interface ReconnectOptions {
  readonly firstPauseMs: number
  readonly maxPauseMs: number
  readonly random: () => number
}

/**
 * How long to wait before the next attempt: what the server asked for, and twice as long after each
 * attempt without success, up to the maximum. With jitter, so that clients do not return together.
 */
export class ReconnectDelay {
  readonly #options: ReconnectOptions
  #failures = 0
  #retryMs: number | null = null

  constructor(options: ReconnectOptions) {
    this.#options = options
  }

  /** The server has chosen the time itself; it is already different for each client. */
  retryAfter(retryMs: number): void {
    this.#retryMs = retryMs
  }

  succeeded(): void {
    this.#failures = 0
  }

  next(): number {
    const { firstPauseMs, maxPauseMs, random } = this.#options
    const backoffMs = firstPauseMs * 2 ** this.#failures * (0.5 + random() / 2)
    const isFirst = this.#failures === 0
    this.#failures = Math.min(this.#failures + 1, 16)
    if (isFirst && this.#retryMs !== null) return Math.min(this.#retryMs, maxPauseMs)
    return Math.min(Math.max(backoffMs, this.#retryMs ?? 0), maxPauseMs)
  }
}
