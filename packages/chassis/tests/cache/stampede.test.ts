import { testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { type Fleet, type ProcessConfig, percentile, startFleet } from './cache-fleet.ts'
import { type CountingUpstream, startUpstream } from './counting-upstream.ts'

const policy = { softTtlMs: 60_000, staleWhileRevalidateMs: 30_000, staleIfErrorMs: 600_000 }

async function fleetOf(
  size: number,
  upstream: CountingUpstream,
  options: Partial<ProcessConfig> = {},
): Promise<Fleet> {
  const { cacheUrl, sessionUrl } = await testRedis()
  const config = { cacheUrl, versionsUrl: sessionUrl, upstreamUrl: upstream.url, policy }
  return await startFleet(size, { ...config, ...options })
}

/** Calls that follow another within half a life belong to the same expiry. */
function countExpiries(callsAtMs: readonly number[], softTtlMs: number): number {
  let expiries = 0
  let lastMs = Number.NEGATIVE_INFINITY
  for (const atMs of callsAtMs) {
    if (atMs - lastMs > softTtlMs / 2) expiries += 1
    lastMs = atMs
  }
  return expiries
}

describe('a cold key', () => {
  it('SF-01 three processes with 1,000 requests each call the upstream once', async () => {
    const upstreamMs = 400
    await using upstream = await startUpstream(upstreamMs)
    await using fleet = await fleetOf(3, upstream)
    const alone = await fleet.runAll({ key: 'warm-up', count: 1, tags: ['warm'] })
    const before = upstream.callsAtMs.length
    expect(before).toBe(1)
    const report = await fleet.runAll({ key: 'cold', count: 1_000, tags: ['tenant:a'] })
    expect(upstream.callsAtMs.length - before).toBe(1)
    expect(report.errors).toEqual([])
    expect(new Set(report.calls).size).toBe(1)
    expect(report.calls).toHaveLength(3_000)
    // The goal of 1.15 × upstream is the bench's; a busy machine only shows that nobody queued.
    expect(percentile(report.tookMs, 0.99)).toBeLessThan(3 * Math.max(...alone.tookMs))
  })

  it('SF-01 control: without the lease every process calls, without coalescing every request', async () => {
    await using upstream = await startUpstream(100)
    await using perProcess = await fleetOf(3, upstream, { singleFlight: 'process' })
    await perProcess.runAll({ key: 'cold', count: 50 })
    expect(upstream.callsAtMs.length).toBe(3)
    await using without = await fleetOf(1, upstream, { singleFlight: 'none' })
    await without.runAll({ key: 'cold', count: 50 })
    expect(upstream.callsAtMs.length).toBe(3 + 50)
  })
})

describe('a hot key', () => {
  const softTtlMs = 400
  const hot = { key: 'hot', count: 5, pauseMs: 10, durationMs: 3_600 }
  const short = { softTtlMs, staleWhileRevalidateMs: 2_000, staleIfErrorMs: 10_000 }

  it('SF-02 is refreshed by one call per expiry and nobody waits', async () => {
    await using upstream = await startUpstream(5)
    await using fleet = await fleetOf(3, upstream, { policy: short })
    await fleet.runAll({ key: hot.key, count: 1 })
    const report = await fleet.runAll(hot)
    const expiries = countExpiries(upstream.callsAtMs, softTtlMs)
    expect(expiries).toBeGreaterThanOrEqual(6)
    expect(upstream.callsAtMs.length).toBeLessThanOrEqual(Math.ceil(expiries * 1.1))
    expect(report.errors).toEqual([])
    expect(report.states.filter((state) => state === 'miss')).toEqual([])
  })

  it('SF-02 control: without the lease each process refreshes for itself', async () => {
    await using upstream = await startUpstream(5)
    await using fleet = await fleetOf(3, upstream, { policy: short, singleFlight: 'process' })
    await fleet.runAll({ key: hot.key, count: 1 })
    await fleet.runAll({ ...hot, durationMs: 1_200 })
    expect(upstream.callsAtMs.length).toBeGreaterThanOrEqual(6)
  })
})
