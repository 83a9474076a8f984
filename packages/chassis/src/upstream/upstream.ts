import { setTimeout as delay } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { Pool } from 'undici'
import { createDeadline } from '../clock/index.ts'
import { findDrift } from './answer-contract.ts'
import { type BreakerState, createGuard } from './guard.ts'
import { observeCall } from './observe-call.ts'
import { readAnswer } from './read-answer.ts'
import { buildRequest } from './request.ts'
import { createRetryBudget } from './retry-budget.ts'
import { type UpstreamAnswer, type UpstreamCall, UpstreamRefusal } from './upstream-call.ts'
import { isRepeatable, UpstreamFailure } from './upstream-failure.ts'
import type { UpstreamOptions } from './upstream-options.ts'

export interface Upstream extends AsyncDisposable {
  readonly name: string
  call<S extends TSchema>(call: UpstreamCall<S>): Promise<UpstreamAnswer<S>>
  breakerState(): BreakerState
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const pool = new Pool(new URL(options.baseUrl).origin, {
    connections: options.connections ?? 64,
    keepAliveTimeout: 30_000,
    connect: { timeout: options.timeoutMs },
  })
  const budget = createRetryBudget()
  const guard = createGuard({
    upstream: options.name,
    concurrentMax: options.concurrentMax ?? 128,
    queueMax: options.queueMax ?? 256,
    ...(options.halfOpenAfterMs !== undefined && { halfOpenAfterMs: options.halfOpenAfterMs }),
    onBreaker: (state) => options.observer?.onBreaker?.(state),
  })

  async function attempt<S extends TSchema>(call: UpstreamCall<S>): Promise<UpstreamAnswer<S>> {
    using own = createDeadline(options.timeoutMs, { parent: call.deadline.signal })
    try {
      return await guard.run(() => exchange({ pool, options }, call, own.signal), own.signal)
    } catch (error) {
      throw own.signal.aborted ? interrupted(options.name, own.signal) : error
    }
  }

  async function attemptAndRepeat<S extends TSchema>(
    call: UpstreamCall<S>,
  ): Promise<UpstreamAnswer<S>> {
    budget.earn()
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(call)
      } catch (error) {
        const again = tries <= options.retries && isSafeToRepeat(call) && isRepeatable(error)
        if (!again || call.deadline.signal.aborted || !budget.spend()) throw error
        await delay(20 * tries, undefined, { signal: call.deadline.signal }).catch(() => undefined)
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
function isSafeToRepeat(call: UpstreamCall<TSchema>): boolean {
  return call.method === 'GET' || call.idempotencyKey !== undefined
}

/** Our patience ended (the upstream's fault) or our caller went away (nobody's). */
function interrupted(upstream: string, signal: AbortSignal): UpstreamFailure {
  const reason: unknown = signal.reason
  const ranOut = reason instanceof DOMException && reason.name === 'TimeoutError'
  return new UpstreamFailure(upstream, ranOut ? 'timeout' : 'cancelled', reason)
}

async function exchange<S extends TSchema>(
  { pool, options }: { pool: Pool; options: UpstreamOptions },
  call: UpstreamCall<S>,
  signal: AbortSignal,
): Promise<UpstreamAnswer<S>> {
  const { name } = options
  const response = await pool.request(buildRequest(options, call, signal)).catch((cause) => {
    throw signal.aborted
      ? interrupted(name, signal)
      : new UpstreamFailure(name, 'connection', cause)
  })
  if (response.statusCode >= 500) {
    await response.body.dump().catch(() => undefined)
    throw new UpstreamFailure(name, 'server-error', response.statusCode)
  }
  const value = await readAnswer(name, response).catch((cause) => {
    if (cause instanceof UpstreamFailure) throw cause
    throw signal.aborted
      ? interrupted(name, signal)
      : new UpstreamFailure(name, 'connection', cause)
  })
  if (response.statusCode >= 400) throw new UpstreamRefusal(name, response.statusCode, value)
  const drift = findDrift(call.schema, value)
  if (drift !== null) {
    options.observer?.onDrift?.(call.operation, drift)
    throw new UpstreamFailure(name, 'contract', drift)
  }
  return {
    value: value as UpstreamAnswer<S>['value'],
    status: response.statusCode,
    headers: response.headers,
  }
}
