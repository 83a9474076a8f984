import { startRedis } from '@melmastoon/one-machine'
import { createTestClock, temporaryFolder, testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLimiter, type Limiter, rateLimitHeaders } from '../../src/limits/index.ts'
import { createKeySpace, createRedis, type Redis } from '../../src/redis/index.ts'

const ignore = () => undefined
const keys = createKeySpace('test-service')
let redis: Redis

beforeAll(async () => {
  const { cacheUrl } = await testRedis()
  redis = createRedis(cacheUrl, { name: 'limits-test', onError: ignore })
})

afterAll(() => redis.disconnect())

async function countAllowed(limiters: readonly Limiter[], key: string, requests: number) {
  const rounds = Array.from({ length: requests / limiters.length }, () => limiters).flat()
  const decisions = await Promise.all(rounds.map((limiter) => limiter.take(key)))
  return decisions.filter((decision) => decision.allowed).length
}

describe('the limiter', () => {
  it('allows the burst, then rejects until the time that it reports', async () => {
    const policy = { name: 'slow', limit: 5, periodSeconds: 600 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open' })
    expect(await countAllowed([limiter], 'a', 12)).toBe(5)
    const rejected = await limiter.take('a')
    expect(rejected).toMatchObject({ allowed: false, remaining: 0 })
    expect(rejected.retryAfterSeconds).toBeGreaterThan(100)
    expect(rejected.retryAfterSeconds).toBeLessThanOrEqual(120)
    expect((await limiter.take('b')).allowed).toBe(true)
  })

  it('SEC-R02 shares one bucket between three instances, within one token batch each', async () => {
    const policy = { name: 'shared', limit: 64, periodSeconds: 3_600 }
    const instances = [1, 2, 3].map(() => createLimiter({ redis, keys, policy, failure: 'open' }))
    expect(await countAllowed(instances, 'k', 300)).toBe(64)
  })

  it('control: three instances without a shared bucket allow three bursts', async () => {
    const policies = [1, 2, 3].map((n) => ({ name: `alone-${n}`, limit: 64, periodSeconds: 3_600 }))
    const instances = policies.map((policy) =>
      createLimiter({ redis, keys, policy, failure: 'open' }),
    )
    expect(await countAllowed(instances, 'k', 300)).toBe(192)
  })

  it('decides for a busy key in memory and discards an unspent token batch after a second', async () => {
    const clock = createTestClock()
    const policy = { name: 'hot', limit: 160, periodSeconds: 3_600 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open', clock })
    expect(limiter.takeNow('k')).toBeNull()
    await limiter.take('k')
    await limiter.take('k')
    expect(limiter.takeNow('k')).toMatchObject({ allowed: true })
    await limiter.take('k')
    clock.advance(1_001)
    expect(limiter.takeNow('k')).toBeNull()
  })

  it('draws no more tokens for a slow key than it uses', async () => {
    const clock = createTestClock()
    const policy = { name: 'slow', limit: 160, periodSeconds: 3_600 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open', clock })
    for (let at = 1; at <= 40; at += 1) {
      expect(await limiter.take('k')).toMatchObject({ allowed: true, remaining: 160 - at })
      clock.advance(1_001)
    }
  })

  it('retains a few tokens of a wide limit for a key that comes back', async () => {
    const clock = createTestClock()
    const policy = { name: 'returning', limit: 1_200, periodSeconds: 60 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open', clock })
    const returns = () => {
      clock.advance(5_000)
      return limiter.takeNow('k')?.allowed ?? null
    }
    await limiter.take('k')
    expect(returns()).toBeNull()
    await limiter.take('k')
    const decisions = Array.from({ length: 8 }, returns)
    expect(decisions).toEqual([true, true, true, true, true, true, true, null])
  })

  it('draws for a request in advance, once', async () => {
    const clock = createTestClock()
    const policy = { name: 'prepared', limit: 1_200, periodSeconds: 60 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open', clock })
    limiter.prepare('k')
    limiter.prepare('k')
    await expect.poll(() => limiter.takeNow('k')).toMatchObject({ remaining: 1_199 })
    expect(limiter.takeNow('k')).toBeNull()
  })

  it('draws the next batch of a busy key before its requests have to wait', async () => {
    const clock = createTestClock()
    const policy = { name: 'busy', limit: 6_400, periodSeconds: 60 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open', clock })
    // 1, 2, 4, 8 and 8 of 16 tokens: then the next 32 are drawn.
    for (let at = 0; at < 23; at += 1) await limiter.take('k')
    for (let at = 0; at < 100; at += 1) {
      await expect.poll(() => limiter.takeNow('k')).toMatchObject({ allowed: true })
    }
    clock.advance(1_001)
    let left = 0
    while (limiter.takeNow('k') !== null) left += 1
    expect(left).toBeLessThanOrEqual(8)
  })

  it('never allows more than the burst, although batches are drawn in advance', async () => {
    const policy = { name: 'wide', limit: 640, periodSeconds: 60, burst: 640 }
    const started = performance.now()
    const instances = [1, 2, 3].map(() => createLimiter({ redis, keys, policy, failure: 'open' }))
    const allowed = await countAllowed(instances, 'k', 3_000)
    const regained = ((performance.now() - started) / 60_000) * 640
    expect(allowed).toBeGreaterThanOrEqual(640 - 3 * 40)
    expect(allowed).toBeLessThanOrEqual(640 + Math.ceil(regained))
  })

  it('decides for a held key like for any other, also after its bucket was replaced', async () => {
    const policy = { name: 'held', limit: 160, periodSeconds: 3_600 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open' })
    const held = limiter.hold('k')
    expect(held.takeNow(performance.now())).toBeNull()
    await limiter.take('k')
    await limiter.take('k')
    expect(held.takeNow(performance.now())).toMatchObject({ allowed: true })
    expect(held.takeNow(performance.now())).toBeNull()
    expect(limiter.takeNow('k')).toBeNull()
  })

  it('reports the limit in the headers of the draft', async () => {
    const policy = { name: 'search', limit: 6, periodSeconds: 3_600, burst: 2 }
    const limiter = createLimiter({ redis, keys, policy, failure: 'open' })
    const headers = async () => rateLimitHeaders(await limiter.take('h'))
    const quota = { 'ratelimit-policy': '"search";q=2;w=1200' }
    expect(await headers()).toEqual({ ...quota, ratelimit: '"search";r=1;t=600' })
    expect(await headers()).toEqual({
      ...quota,
      ratelimit: expect.stringMatching(/^"search";r=0;t=1[12]\d\d$/),
    })
    const rejected = await headers()
    const seconds = Number(rejected['retry-after'])
    expect(seconds).toBeGreaterThan(500)
    expect(seconds).toBeLessThanOrEqual(600)
    expect(rejected).toMatchObject({ ...quota, ratelimit: `"search";r=0;t=${seconds}` })
  })
})

describe('without Redis', () => {
  it('reads continue with a limit per process, others are rejected, and both recover', async () => {
    using folder = temporaryFolder()
    const server = await startRedis({ dataDir: folder.path, port: 0, policy: 'allkeys-lru' })
    const client = createRedis(server.url, { name: 'limits-down', onError: ignore })
    const policy = { name: 'down', limit: 3, periodSeconds: 3_600 }
    const open = createLimiter({ redis: client, keys, policy, failure: 'open' })
    const closed = createLimiter({ redis: client, keys, policy, failure: 'closed' })
    try {
      expect((await open.take('warm')).allowed).toBe(true)
      await server.kill()
      expect(await countAllowed([open], 'warm', 9)).toBe(2)
      expect(await countAllowed([open], 'k', 9)).toBe(3)
      await expect(closed.take('k')).rejects.toMatchObject({
        code: 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
      })
      await server.restart()
      await expect
        .poll(() => closed.take('k2').catch(() => null), { timeout: 8_000 })
        .toMatchObject({
          allowed: true,
        })
    } finally {
      client.disconnect()
      await server.stop()
    }
  })
})
