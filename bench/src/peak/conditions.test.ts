import { describe, expect, it } from 'vitest'
import { conditionsOf, type PeakMeasured, voidReasons } from './conditions.ts'

const latencies = { count: 18_000, p50Ms: 4, p95Ms: 20, p99Ms: 60 }
const good: PeakMeasured = {
  steady: {
    overall: latencies,
    byTarget: [latencies],
    byKind: {},
    serverErrors: 0,
    unexpected: [],
    challenges: 2,
    ledgerRows: 90,
    notSent: 0,
    sentLateP99Ms: 1,
  },
  freshP95Ms: 22,
  probed: {
    pool: { taken: 9_000, timeouts: 0, p99Ms: 3, exhaustedShare: 0 },
    redis: { session: { commands: 1, p95Ms: 1 }, cache: { commands: 1, p95Ms: 1 } },
    loopDelay: { p95Ms: 1, p99Ms: 2 },
  },
  outboxOldestSeconds: 0.4,
  hitShare: 0.9,
  ledger: { rows: 90, expected: 90 },
  streams: { open: 200, ended: 0 },
  missingKinds: [],
  loadCoreShare: 0.6,
  sandboxShare: 0.2,
}

const broken = (change: Partial<PeakMeasured>) =>
  conditionsOf({ ...good, ...change }).filter(({ holds }) => !holds)

describe('the conditions of the peak gate', () => {
  it('hold for a healthy run', () => {
    expect(broken({})).toEqual([])
    expect(voidReasons(good)).toEqual([])
  })

  it('detect each fault, and nothing else', () => {
    const pool = { ...good.probed.pool, timeouts: 1 }
    const redis = { ...good.probed.redis, cache: { commands: 1, p95Ms: 11 } }
    const cases: Partial<PeakMeasured>[] = [
      { probed: { ...good.probed, pool } },
      { probed: { ...good.probed, pool: { ...pool, timeouts: 0, p99Ms: 51 } } },
      { probed: { ...good.probed, pool: { ...pool, timeouts: 0, exhaustedShare: 0.02 } } },
      { probed: { ...good.probed, redis } },
      { outboxOldestSeconds: 61 },
      { freshP95Ms: 25 },
      { steady: { ...good.steady, serverErrors: 1 } },
      { steady: { ...good.steady, unexpected: ['1 × charge: 400'] } },
      { hitShare: 0.8 },
      { ledger: { rows: 89, expected: 90 } },
      { streams: { open: 199, ended: 1 } },
      { missingKinds: ['offline batch'] },
    ]
    expect(cases.map((change) => broken(change).length)).toEqual(cases.map(() => 1))
  })

  it('are void when the driver had no CPU, or the sandbox was the bottleneck', () => {
    expect(voidReasons({ ...good, loadCoreShare: 0.9 })).toHaveLength(1)
    expect(voidReasons({ ...good, sandboxShare: 0.6 })).toHaveLength(1)
  })
})
