import { testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { startUpstream } from './counting-upstream.ts'
import { createPageReader, type ReaderConfig, runAll } from './page-reader.ts'
import { spawnReader } from './spawn-reader.ts'

const policy = { softTtlMs: 60_000, staleWhileRevalidateMs: 30_000, staleIfErrorMs: 600_000 }
const THREE = [1, 2, 3]

async function configFor(
  upstream: { url: string },
  options: Partial<ReaderConfig> = {},
): Promise<ReaderConfig> {
  return { ...(await testRedis()), upstreamUrl: upstream.url, policy, ...options }
}

/** Calls within half a TTL after another one belong to the same expiry. */
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
  it('SF-01 causes one upstream call by three processes with 1,000 requests each', async () => {
    await using upstream = await startUpstream(400)
    const config = await configFor(upstream)
    await using stack = new AsyncDisposableStack()
    const readers = await Promise.all(THREE.map(() => spawnReader(config)))
    for (const reader of readers) stack.use(reader)
    await runAll(readers, { key: 'warm-up', count: 1, tags: ['warm'] })
    expect(upstream.callsAtMs).toHaveLength(1)
    const report = await runAll(readers, { key: 'cold', count: 1_000, tags: ['tenant:a'] })
    expect(upstream.callsAtMs).toHaveLength(2)
    expect(report.errors).toEqual([])
    expect(report.calls).toHaveLength(3_000)
    expect(new Set(report.calls)).toEqual(new Set([2]))
  })

  it('SF-01 control: without the lease every process calls, and without coalescing every request', async () => {
    await using upstream = await startUpstream(100)
    await using stack = new AsyncDisposableStack()
    const perProcess = await configFor(upstream, { singleFlight: 'process' })
    const readers = THREE.map(() => stack.use(createPageReader(perProcess)))
    await runAll(readers, { key: 'cold', count: 50 })
    expect(upstream.callsAtMs).toHaveLength(3)
    const none = await configFor(upstream, { singleFlight: 'none' })
    await stack.use(createPageReader(none)).run({ key: 'cold', count: 50 })
    expect(upstream.callsAtMs).toHaveLength(3 + 50)
  })
})

describe('a hot key', () => {
  const softTtlMs = 300
  const hot = { key: 'hot', count: 3, pauseMs: 10, durationMs: 3_000 }
  const short = { softTtlMs, staleWhileRevalidateMs: 5_000, staleIfErrorMs: 10_000 }

  it('SF-02 is refreshed by one call per expiry and no request waits', async () => {
    await using upstream = await startUpstream(5)
    await using stack = new AsyncDisposableStack()
    const config = await configFor(upstream, { policy: short })
    const readers = THREE.map(() => stack.use(createPageReader(config)))
    await runAll(readers, { key: hot.key, count: 1 })
    const report = await runAll(readers, hot)
    const expiries = countExpiries(upstream.callsAtMs, softTtlMs)
    expect(expiries).toBeGreaterThanOrEqual(5)
    expect(upstream.callsAtMs.length).toBeLessThanOrEqual(Math.ceil(expiries * 1.1))
    expect(report.errors).toEqual([])
    expect(report.states.filter((state) => state === 'miss')).toEqual([])
  })

  it('SF-02 control: without the lease each process refreshes for itself', async () => {
    await using upstream = await startUpstream(5)
    await using stack = new AsyncDisposableStack()
    const config = await configFor(upstream, { policy: short, singleFlight: 'process' })
    const readers = THREE.map(() => stack.use(createPageReader(config)))
    await runAll(readers, { key: hot.key, count: 1 })
    await runAll(readers, { ...hot, durationMs: 1_000 })
    expect(upstream.callsAtMs.length).toBeGreaterThanOrEqual(6)
  })
})
