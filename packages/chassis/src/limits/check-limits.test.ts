import { describe, expect, it } from 'vitest'
import { checkLimits, checkLimitsNow, limitProblem, type RequestLimits } from './check-limits.ts'
import type { LimitDecision } from './limit-policy.ts'
import type { Limiter } from './limiter.ts'

/** A limiter with the given number of tokens left, known to this process or not. */
function limiterWith(name: string, remaining: number, isKnown = true) {
  const taken: string[] = []
  const policy = { name, limit: 10, periodSeconds: 60 }
  const decide = (key: string): LimitDecision => {
    taken.push(key)
    const allowed = remaining > 0
    return { allowed, policy, remaining, resetSeconds: 60, retryAfterSeconds: allowed ? 0 : 6 }
  }
  const limiter: Limiter = {
    policy,
    takeNow: (key) => (isKnown ? decide(key) : null),
    take: async (key) => decide(key),
    prepare: () => undefined,
    hold: (key) => ({ takeNow: () => (isKnown ? decide(key) : null) }),
  }
  return { limiter, taken }
}

const limitsOf = (own: Limiter, ...shared: Limiter[]): RequestLimits => ({
  own: { limiter: own, key: 'session' },
  shared: {
    limits: shared.map((limiter) => ({ limiter, key: 'address' })),
    runInBackground: (name, work) => void inBackground.push([name, work]),
  },
})

const inBackground: [string, () => Promise<unknown>][] = []

describe('SEC-R06 several limits of one request', () => {
  it('are reported as the one with the smallest remaining share', () => {
    const limits = limitsOf(limiterWith('own', 5).limiter, limiterWith('address', 3).limiter)
    expect(checkLimitsNow(limits)?.policy.name).toBe('address')
    const reversed = limitsOf(limiterWith('own', 2).limiter, limiterWith('address', 3).limiter)
    expect(checkLimitsNow(reversed)?.policy.name).toBe('own')
  })

  it('each suffice to reject', async () => {
    const limits = limitsOf(limiterWith('own', 5).limiter, limiterWith('address', 0).limiter)
    const decision = await checkLimits(limits)
    expect(decision).toMatchObject({ allowed: false, policy: { name: 'address' } })
    expect(limitProblem(decision)).toMatchObject({
      code: 'MELMASTOON.GENERAL.RATE_LIMITED',
      headers: { 'retry-after': '6' },
    })
  })

  it('are not consumed when the client’s own limit rejects', () => {
    const shared = limiterWith('address', 5)
    const limits = limitsOf(limiterWith('own', 0).limiter, shared.limiter)
    expect(checkLimitsNow(limits)).toMatchObject({ allowed: false })
    expect(shared.taken).toEqual([])
  })

  it('make the request wait for its own limit only', async () => {
    const shared = limiterWith('address', 0, false)
    const own = limiterWith('own', 5, false)
    const limits = limitsOf(own.limiter, shared.limiter)
    expect(checkLimitsNow(limits)).toBeNull()
    expect(await checkLimits(limits)).toMatchObject({ allowed: true })
    expect(shared.taken).toEqual([])
    const [[name, work] = []] = inBackground
    expect(name).toBe('limit address address')
    await work?.()
    expect(shared.taken).toEqual(['address'])
  })
})
