import { type Clock, systemClock } from './clock.ts'

/** The time left for an operation that needs no signal to stop waiting, such as a database call. */
export interface TimeLimit {
  remainingMs(): number
}

/**
 * One deadline for a whole request (P9): every call made on its behalf shares the signal, so that
 * running out of time cancels all that is still in flight.
 */
export interface Deadline extends TimeLimit, Disposable {
  readonly signal: AbortSignal
}

export interface DeadlineOptions {
  parent?: AbortSignal
  clock?: Clock
}

export function createDeadline(budgetMs: number, options: DeadlineOptions = {}): Deadline {
  return new TimerDeadline(budgetMs, options)
}

/** Timer and signal are created on first use: database calls only need the remaining time. */
class TimerDeadline implements Deadline {
  readonly #clock: Clock
  readonly #endsAtMs: number
  readonly #parent: AbortSignal | undefined
  #controller: AbortController | undefined
  #timer: NodeJS.Timeout | undefined
  #isDisposed = false

  constructor(budgetMs: number, { parent, clock = systemClock }: DeadlineOptions) {
    this.#clock = clock
    this.#parent = parent
    this.#endsAtMs = clock.monotonicMs() + budgetMs
  }

  get signal(): AbortSignal {
    this.#controller ??= this.#start(new AbortController())
    return this.#controller.signal
  }

  remainingMs(): number {
    return Math.max(0, this.#endsAtMs - this.#clock.monotonicMs())
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    clearTimeout(this.#timer)
    this.#parent?.removeEventListener('abort', this.#follow)
  }

  #start(controller: AbortController): AbortController {
    if (this.#parent?.aborted) controller.abort(this.#parent.reason)
    else if (!this.#isDisposed) {
      this.#timer = setTimeout(this.#expire, this.remainingMs())
      this.#timer.unref()
      this.#parent?.addEventListener('abort', this.#follow, { once: true })
    }
    return controller
  }

  readonly #expire = () =>
    this.#controller?.abort(new DOMException('deadline exceeded', 'TimeoutError'))

  readonly #follow = () => this.#controller?.abort(this.#parent?.reason)
}

/**
 * A limit for one step that must leave time for the steps after it: the given share of the time
 * left now, for example for a read whose failure has a fallback.
 */
export function shareOf(limit: TimeLimit, share: number): TimeLimit {
  const reservedMs = limit.remainingMs() * (1 - share)
  return { remainingMs: () => Math.max(0, limit.remainingMs() - reservedMs) }
}
