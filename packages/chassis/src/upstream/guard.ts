import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  TaskCancelledError,
} from 'cockatiel'
import { Bulkhead, BulkheadFullError, type BulkheadLimits } from './bulkhead.ts'
import { countsForBreaker, UpstreamFailure } from './upstream-failure.ts'

/** Failure modes of the consumer service, F-1: opens after five failures, probes after 4 s. */
const FAILURES_IN_A_ROW = 5
const HALF_OPEN_AFTER_MS = 4_000

export type BreakerState = 'closed' | 'half-open' | 'open'

export interface GuardOptions extends BulkheadLimits {
  upstream: string
  halfOpenAfterMs?: number
  onBreaker?: (state: BreakerState) => void
}

type Work<T> = () => Promise<T>

/**
 * Bulkhead and breaker around the calls to one upstream. The bulkhead is inside the breaker: our
 * own limit never opens the circuit. While the last outcome was a success the breaker has nothing
 * to decide, and calls do not pass through it: a guard costs a quarter then.
 */
export class Guard {
  readonly #upstream: string
  readonly #bulkhead: Bulkhead
  readonly #breaker: CircuitBreakerPolicy
  #isHealthy = true

  constructor(options: GuardOptions) {
    this.#upstream = options.upstream
    this.#bulkhead = new Bulkhead(options)
    this.#breaker = circuitBreaker(handleWhen(countsForBreaker), {
      halfOpenAfter: options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS,
      breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    })
    this.#breaker.onStateChange((state) => options.onBreaker?.(breakerState(state)))
  }

  state(): BreakerState {
    return breakerState(this.#breaker.state)
  }

  async run<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    try {
      signal.throwIfAborted()
      return this.#isHealthy
        ? await this.#runHealthy(work, signal)
        : await this.#runCounted(work, signal)
    } catch (error) {
      throw toFailure(this.#upstream, error)
    }
  }

  async #runHealthy<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    const running = this.#bulkhead.run(work, signal)
    try {
      const result = await running
      if (!this.#isHealthy) await this.#count(running)
      return result
    } catch (error) {
      if (countsForBreaker(error)) await this.#count(running)
      throw error
    }
  }

  /** Passes the outcome of a call that began outside the breaker, unless the circuit has opened. */
  async #count(finished: Promise<unknown>): Promise<void> {
    this.#isHealthy = false
    if (this.#breaker.state !== CircuitState.Closed) return
    await this.#breaker.execute(() => finished).then(() => this.#recover(), ignore)
  }

  async #runCounted<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    const counted = this.#breaker.execute(() => this.#bulkhead.run(work, signal), signal)
    const result = await untilAborted(counted, signal)
    this.#recover()
    return result
  }

  #recover(): void {
    this.#isHealthy = this.#breaker.state === CircuitState.Closed
  }
}

/** While another call probes the upstream, the breaker ignores the signal of those that wait. */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function ignore(): void {}

function toFailure(upstream: string, error: unknown): unknown {
  if (error instanceof BrokenCircuitError) return new UpstreamFailure(upstream, 'open-circuit')
  if (error instanceof BulkheadFullError) return new UpstreamFailure(upstream, 'busy')
  if (error instanceof TaskCancelledError) return new UpstreamFailure(upstream, 'cancelled')
  return error
}

function breakerState(state: CircuitState): BreakerState {
  if (state === CircuitState.Closed) return 'closed'
  return state === CircuitState.HalfOpen ? 'half-open' : 'open'
}
