import type { TSchema } from 'typebox'
import { Pool } from 'undici'
import { createDeadline, pause } from '../clock/index.ts'
import { exchange } from './exchange.ts'
import { type BreakerState, Guard } from './guard.ts'
import { observeCall } from './observe-call.ts'
import { isRepeatable, UpstreamFailure } from './upstream-failure.ts'
import type { UpstreamOptions } from './upstream-options.ts'
import type { UpstreamRequest, UpstreamResponse } from './upstream-request.ts'

const RETRY_PAUSE_MS = 20

export interface Upstream extends AsyncDisposable {
  readonly name: string
  call<S extends TSchema>(call: UpstreamRequest<S>): Promise<UpstreamResponse<S>>
  breakerState(): BreakerState
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const pool = new Pool(new URL(options.baseUrl).origin, {
    connections: options.connections ?? 64,
    keepAliveTimeout: 30_000,
    connect: { timeout: options.timeoutMs },
  })
  const budget = createRetryBudget()
  const guard = new Guard({
    upstream: options.name,
    concurrentMax: options.concurrentMax ?? 128,
    queueMax: options.queueMax ?? 256,
    ...(options.halfOpenAfterMs !== undefined && { halfOpenAfterMs: options.halfOpenAfterMs }),
    onBreaker: (state) => options.observer?.onBreaker?.(state),
  })

  async function attempt<S extends TSchema>(
    call: UpstreamRequest<S>,
  ): Promise<UpstreamResponse<S>> {
    using own = createDeadline(options.timeoutMs, { parent: call.deadline.signal })
    try {
      return await guard.run(() => exchange({ pool, options }, call, own.signal), own.signal)
    } catch (error) {
      if (error instanceof UpstreamFailure || !own.signal.aborted) throw error
      throw new UpstreamFailure(options.name, 'cancelled', error)
    }
  }

  async function attemptAndRepeat<S extends TSchema>(
    call: UpstreamRequest<S>,
  ): Promise<UpstreamResponse<S>> {
    budget.earn()
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(call)
      } catch (error) {
        const again =
          tries <= (call.retries ?? options.retries) && isSafeToRepeat(call) && isRepeatable(error)
        if (!again || call.deadline.signal.aborted || !budget.spend()) throw error
        await pause(RETRY_PAUSE_MS * tries, call.deadline.signal)
        if (call.deadline.signal.aborted) throw error
      }
    }
  }

  return {
    name: options.name,
    breakerState: () => guard.state(),
    call: (call) => observeCall(options, call, attemptAndRepeat),
    [Symbol.asyncDispose]: () => pool.destroy(),
  }
}

/** RFC 9110 §9.2.2, or a key that lets the upstream recognise the repetition. */
function isSafeToRepeat(call: UpstreamRequest<TSchema>): boolean {
  return call.method === 'GET' || call.readOnly === true || call.idempotencyKey !== undefined
}

/**
 * Retries add at most a tenth to the traffic: a service that is down must not get twice the load.
 * Every first attempt earns a tenth of a retry, up to a small reserve.
 */
const EARNED_PER_CALL = 0.1
const RESERVE_MAX = 10

interface RetryBudget {
  earn(): void
  spend(): boolean
}

function createRetryBudget(): RetryBudget {
  let reserve = RESERVE_MAX
  return {
    earn() {
      reserve = Math.min(RESERVE_MAX, reserve + EARNED_PER_CALL)
    },
    spend() {
      if (reserve < 1) return false
      reserve -= 1
      return true
    },
  }
}
