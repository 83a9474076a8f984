import { describe, expect, it } from 'vitest'
import { type CachePolicy, resolvePolicy } from './cache-policy.ts'
import { freshnessOf, planLifetime, shouldRefreshEarly } from './freshness.ts'

const policy: CachePolicy = {
  softTtlMs: 1_000,
  staleWhileRevalidateMs: 500,
  staleIfErrorMs: 5_000,
}
const timing = { status: 200, startedAtMs: 10_000, loadMs: 40, random: 0.5 }

describe('a lifetime', () => {
  it('changes from fresh to stale to fallback to dead', () => {
    const lifetime = planLifetime(resolvePolicy(policy), timing)
    const at = (sinceMs: number) => freshnessOf(lifetime, 10_000 + sinceMs)
    expect([at(0), at(999)]).toEqual(['fresh', 'fresh'])
    expect([at(1_000), at(1_499)]).toEqual(['stale', 'stale'])
    expect([at(1_500), at(5_999)]).toEqual(['fallback', 'fallback'])
    expect(at(6_000)).toBe('dead')
  })

  it('varies the soft expiry by up to a tenth in both directions', () => {
    const softAt = (random: number) =>
      planLifetime(resolvePolicy(policy), { ...timing, random }).softExpiryMs - 10_000
    expect([softAt(0), softAt(0.5), softAt(1)]).toEqual([900, 1_000, 1_100])
  })

  it('can be shortened by the load, but not extended', () => {
    const softAt = (freshForMs: number) =>
      planLifetime(resolvePolicy(policy), { ...timing, freshForMs }).softExpiryMs - 10_000
    expect([softAt(200), softAt(9_000)]).toEqual([200, 1_000])
  })

  it('serves an entry with a shortened life only as a fallback', () => {
    const lifetime = planLifetime(resolvePolicy(policy), { ...timing, freshForMs: 200 })
    const at = (sinceMs: number) => freshnessOf(lifetime, 10_000 + sinceMs)
    expect([at(199), at(200), at(700)]).toEqual(['fresh', 'fallback', 'fallback'])
  })

  it('caches a 404 for five seconds and then discards it', () => {
    const lifetime = planLifetime(resolvePolicy(policy), { ...timing, status: 404 })
    expect(lifetime.hardExpiryMs - 10_000).toBe(5_000)
    expect(freshnessOf(lifetime, 15_000)).toBe('dead')
  })

  it('caches a 404 for the time that the policy defines', () => {
    const patient = resolvePolicy({ ...policy, negativeTtlMs: 30_000 })
    const lifetime = planLifetime(patient, { ...timing, status: 404 })
    expect(lifetime.hardExpiryMs - 10_000).toBe(30_000)
  })

  it('evaluates the time to live for each new entry, and does not change cached ones', () => {
    let softTtlMs = 60_000
    const live = resolvePolicy({ ...policy, softTtlMs: () => softTtlMs })
    const before = planLifetime(live, timing)
    softTtlMs = 300_000
    const after = planLifetime(live, timing)
    expect(before.softExpiryMs - 10_000).toBe(60_000)
    expect(after.softExpiryMs - 10_000).toBe(300_000)
  })
})

describe('early refresh', () => {
  const lifetime = planLifetime(resolvePolicy(policy), timing)
  const refreshes = (remainingMs: number, random: number) =>
    shouldRefreshEarly(lifetime, lifetime.softExpiryMs - remainingMs, () => random)

  it('follows now − δ·ln(random) ≥ expiry within the last tenth of the life', () => {
    const threshold = Math.exp(-1)
    expect(refreshes(40, threshold - 0.001)).toBe(true)
    expect(refreshes(40, threshold + 0.001)).toBe(false)
    expect(refreshes(80, Math.exp(-2) - 0.001)).toBe(true)
    expect(refreshes(80, Math.exp(-2) + 0.001)).toBe(false)
    expect(refreshes(0, 1)).toBe(true)
  })

  it('never happens earlier, and uses no random number before', () => {
    const draw = () => {
      throw new Error('drawn')
    }
    expect(shouldRefreshEarly(lifetime, lifetime.softExpiryMs - 101, draw)).toBe(false)
    expect(refreshes(100, 0)).toBe(true)
  })
})

describe('a policy', () => {
  it('has a lease that is longer than the load and at least five seconds (D10)', () => {
    expect(resolvePolicy({ ...policy, loadTimeoutMs: 800 }).leaseMs).toBe(5_000)
    expect(resolvePolicy({ ...policy, loadTimeoutMs: 9_000 }).leaseMs).toBe(10_000)
  })

  it('rejects invalid numbers', () => {
    expect(() => resolvePolicy({ ...policy, staleIfErrorMs: -1 })).toThrow(TypeError)
    expect(() => resolvePolicy({ ...policy, followerWaitMs: Number.NaN })).toThrow(TypeError)
    expect(() => resolvePolicy({ ...policy, jitter: 1 })).toThrow(TypeError)
  })
})
