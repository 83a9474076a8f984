import { eventually, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createL2, EMPTY_SNAPSHOT } from '../../src/cache/l2-store.ts'
import { systemClock } from '../../src/clock/index.ts'
import { type CountingUpstream, page, startUpstream } from './counting-upstream.ts'
import { openCache, TEST_KEYS } from './open-cache.ts'
import { createPageReader, type PageReader, type ReaderConfig } from './page-reader.ts'
import { type SpawnedReader, spawnReader } from './spawn-reader.ts'

const leaseMs = 700
const policy = {
  softTtlMs: 60_000,
  staleWhileRevalidateMs: 0,
  staleIfErrorMs: 600_000,
  loadTimeoutMs: 20_000,
}

interface Pair extends AsyncDisposable {
  upstream: CountingUpstream
  /** A separate process, because the test kills or suspends it. */
  leader: SpawnedReader
  follower: PageReader
  urls: { cacheUrl: string; sessionUrl: string }
}

async function startPair(options: Partial<ReaderConfig> = {}): Promise<Pair> {
  const urls = await testRedis()
  const upstream = await startUpstream()
  const config = { ...urls, upstreamUrl: upstream.url, policy, leaseMs, ...options }
  const leader = await spawnReader(config)
  const follower = createPageReader(config)
  return {
    urls,
    upstream,
    leader,
    follower,
    async [Symbol.asyncDispose]() {
      await Promise.all([leader, follower, upstream].map((part) => part[Symbol.asyncDispose]()))
    },
  }
}

/** The first call hangs until released; all later ones get an immediate response. */
function holdFirstCall(upstream: CountingUpstream, from: number): { release(): void } {
  let release = () => undefined as void
  upstream.respond = (response, call) => {
    if (call === from) release = () => void response.end(page(call))
    else response.end(page(call))
  }
  return { release: () => release() }
}

describe('a leader that crashes', () => {
  it('SF-03 is replaced when its lease ends, without an error for any request', async () => {
    await using pair = await startPair()
    const { upstream, leader, follower } = pair
    holdFirstCall(upstream, 1)
    leader.run({ key: 'page', count: 1 }).catch(() => undefined)
    await eventually(() => expect(upstream.callsAtMs).toHaveLength(1))
    await leader.process.kill('SIGKILL')
    const report = await follower.run({ key: 'page', count: 100 })
    expect(report.errors).toEqual([])
    expect(new Set(report.calls)).toEqual(new Set([2]))
    const [first = 0, second = 0] = upstream.callsAtMs
    expect(second - first).toBeLessThan(leaseMs + 1_000)
  })

  it('SF-03 lets other processes serve the stale entry meanwhile', async () => {
    const stale = { ...policy, softTtlMs: 50, staleWhileRevalidateMs: 30_000 }
    await using pair = await startPair({ policy: stale })
    const { upstream, leader, follower } = pair
    await Promise.all([leader, follower].map((one) => one.run({ key: 'page', count: 1 })))
    const before = upstream.callsAtMs.length
    holdFirstCall(upstream, before + 1)
    await eventually(async () => {
      await leader.run({ key: 'page', count: 1 })
      expect(upstream.callsAtMs.length).toBe(before + 1)
    })
    await leader.process.kill('SIGKILL')
    const report = await follower.run({ key: 'page', count: 20 })
    expect(report.errors).toEqual([])
    expect(new Set(report.states)).toEqual(new Set(['stale']))
    expect(Math.max(...report.tookMs)).toBeLessThan(leaseMs)
    await eventually(async () => {
      const later = await follower.run({ key: 'page', count: 1 })
      expect(later.calls[0]).toBeGreaterThan(before + 1)
    })
  })
})

describe('a leader that is suspended beyond its lease', () => {
  it('SF-05 writes nothing after an invalidation, nor over a newer entry', async () => {
    await using pair = await startPair()
    const { upstream, leader, follower, urls } = pair
    await using other = openCache(urls)
    const held = holdFirstCall(upstream, 1)
    const asleep = leader.run({ key: 'page', count: 1, tags: ['tenant:a'] })
    await eventually(() => expect(upstream.callsAtMs).toHaveLength(1))
    leader.signal('SIGSTOP')
    await other.cache.invalidate(['tenant:a'])
    const fresh = await follower.run({ key: 'page', count: 5, tags: ['tenant:a'] })
    expect(new Set(fresh.calls)).toEqual(new Set([2]))
    await eventually(async () => expect(await leaseKeys(other.redis)).toEqual([]))
    held.release()
    leader.signal('SIGCONT')
    const late = await asleep
    expect(late.calls).toEqual([1])
    await eventually(async () => {
      const after = await leader.run({ key: 'other', count: 1 })
      expect(after.counts['fencedWrite']).toBe(1)
    })
    for (const reader of [leader, follower]) {
      const report = await reader.run({ key: 'page', count: 3, tags: ['tenant:a'] })
      expect(new Set(report.calls)).toEqual(new Set([2]))
    }
  })

  it('SF-05 has its late write rejected without an invalidation as well', async () => {
    await using pair = await startPair()
    const { upstream, leader, follower } = pair
    const held = holdFirstCall(upstream, 1)
    const asleep = leader.run({ key: 'page', count: 1 })
    await eventually(() => expect(upstream.callsAtMs).toHaveLength(1))
    leader.signal('SIGSTOP')
    const second = await follower.run({ key: 'page', count: 1 })
    expect(second.calls).toEqual([2])
    held.release()
    leader.signal('SIGCONT')
    await asleep
    await using reader = openCache(pair.urls)
    const pages = reader.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    await eventually(async () => {
      const { counts } = await leader.run({ key: 'other', count: 1 })
      expect(counts['fencedWrite']).toBe(1)
    })
    const hit = await pages.get({ dims: { key: 'page' }, load: neverLoad })
    expect(hit.body.toString().slice(0, 11)).toBe('{"call":2,"')
  })

  it('SF-05 control: while it holds its lease it writes, under the version it started with', async () => {
    await using pair = await startPair({ leaseMs: 20_000 })
    const { upstream, leader, follower, urls } = pair
    await using other = openCache(urls)
    const held = holdFirstCall(upstream, 1)
    const slow = leader.run({ key: 'page', count: 1, tags: ['tenant:a'] })
    await eventually(() => expect(upstream.callsAtMs).toHaveLength(1))
    await other.cache.invalidate(['tenant:a'])
    held.release()
    await slow
    await eventually(async () => expect(await other.redis.dbsize()).toBe(1))
    const report = await follower.run({ key: 'page', count: 3, tags: ['tenant:a'] })
    expect(new Set(report.calls)).toEqual(new Set([2]))
    await eventually(async () => expect(await other.redis.dbsize()).toBe(2))
  })
})

describe('a lease', () => {
  it('SF-06 that another process holds is neither released nor used for a write', async () => {
    await using open = openCache(await testRedis())
    const l2 = createL2({
      redis: open.redis,
      prefix: TEST_KEYS.prefix('cache'),
      clock: systemClock,
    })
    const [a, b] = ['token-a', 'token-b'].map((token) => ({ key: 'k', token }))
    if (a === undefined || b === undefined) throw new TypeError('two leases')
    const once = { leaseMs: 400, seen: EMPTY_SNAPSHOT }
    expect((await l2.acquire(a, once)).kind).toBe('leader')
    expect(await l2.acquire(b, once)).toMatchObject({ kind: 'held', holder: 'token-a' })
    await eventually(async () => {
      expect((await l2.acquire(b, { ...once, leaseMs: 30_000 })).kind).toBe('leader')
    })
    expect(await l2.release(a, 'x')).toBe(false)
    const frame = Buffer.from('late')
    expect(await l2.commit(a, { frame, ttlMs: 1_000, wake: 'x' })).toBe(false)
    expect(await l2.acquire(a, once)).toMatchObject({ kind: 'held', holder: 'token-b' })
    // The holder itself can write.
    expect(await l2.release(b, 'x')).toBe(true)
    expect((await l2.acquire(a, once)).kind).toBe('leader')
  })
})

async function leaseKeys(redis: { keys(pattern: string): Promise<string[]> }): Promise<string[]> {
  return await redis.keys('*:lease')
}

function neverLoad(): Promise<never> {
  return Promise.reject(new TypeError('unexpected load: the entry should be in Redis'))
}
