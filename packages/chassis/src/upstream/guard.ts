import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  TaskCancelledError,
  wrap,
} from 'cockatiel'
import { countsForBreaker, UpstreamFailure } from './upstream-failure.ts'

/** Failure modes of the consumer service, F-1: opens after five failures, probes after 4 s. */
const FAILURES_IN_A_ROW = 5
const HALF_OPEN_AFTER_MS = 4_000

export type BreakerState = 'closed' | 'half-open' | 'open'

export interface GuardOptions {
  upstream: string
  concurrentMax: number
  queueMax: number
  halfOpenAfterMs?: number
  onBreaker?: (state: BreakerState) => void
}

export interface Guard {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  state(): BreakerState
}

/** The bulkhead is inside the breaker: our own limit never opens the circuit. */
export function createGuard(options: GuardOptions): Guard {
  const breaker = circuitBreaker(handleWhen(countsForBreaker), {
    halfOpenAfter: options.halfOpenAfterMs ?? HALF_OPEN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
  })
  breaker.onStateChange((state) => options.onBreaker?.(breakerState(state)))
  const policy = wrap(breaker, bulkhead(options.concurrentMax, options.queueMax))
  return {
    state: () => breakerState(breaker.state),
    run: async (work, signal) => {
      try {
        // Attached before the call: a rejection without a handler would end the process.
        signal.throwIfAborted()
        return await untilAborted(policy.execute(work, signal), signal)
      } catch (error) {
        throw toFailure(options.upstream, error)
      }
    },
  }
}

/** A call that is still queued at its deadline stops waiting. */
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

function toFailure(upstream: string, error: unknown): unknown {
  if (error instanceof BrokenCircuitError) return new UpstreamFailure(upstream, 'open-circuit')
  if (error instanceof BulkheadRejectedError) return new UpstreamFailure(upstream, 'busy')
  if (error instanceof TaskCancelledError) return new UpstreamFailure(upstream, 'cancelled')
  return error
}

function breakerState(state: CircuitState): BreakerState {
  if (state === CircuitState.Closed) return 'closed'
  return state === CircuitState.HalfOpen ? 'half-open' : 'open'
}
