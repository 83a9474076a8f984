import { newId } from '@melmastoon/domain'
import { testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Clock } from '../../src/clock/index.ts'
import { RecentKeys } from '../../src/concurrency/index.ts'
import { createKeySpace, createRedis, type Redis } from '../../src/redis/index.ts'

let redis: Redis
const errors: unknown[] = []
const onError = (error: unknown) => errors.push(error)

beforeAll(async () => {
  const { cacheUrl } = await testRedis()
  redis = createRedis(cacheUrl, { name: 'recent-keys-test', onError: () => undefined })
})
afterAll(() => redis.disconnect())

function recentKeys(client = redis) {
  const time = { ms: 1_000 }
  const nowMs = () => time.ms
  const clock: Clock = { now: () => new Date(time.ms), nowMs, monotonicMs: nowMs }
  return {
    time,
    keys: new RecentKeys({ redis: client, keys: createKeySpace('test-service'), clock, onError }),
  }
}

it('grants one of many claims, across processes', async () => {
  const processes = [recentKeys(), recentKeys()]
  const key = newId('req')
  const claims = Array.from(
    { length: 50 },
    async (_, at) => await processes[at % 2]?.keys.claimOnce(key, 60),
  )
  expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
})

it('reports without waiting which keys this process has claimed', async () => {
  const [{ time, keys }, other] = [recentKeys(), recentKeys()]
  const key = newId('gms')
  expect(keys.isClaimed(key)).toBe(false)
  const claim = keys.claimOnce(key, 300)
  expect([keys.isClaimed(key), other.keys.isClaimed(key)]).toEqual([true, false])
  await claim
  time.ms += 301_000
  expect(keys.isClaimed(key)).toBe(false)
})

it('grants the next claim after the time has elapsed', async () => {
  const { time, keys } = recentKeys()
  const key = newId('gms')
  await redis.flushdb()
  expect(await keys.claimOnce(key, 300)).toBe(true)
  const [name = ''] = await redis.keys('test-service:v1:once:*')
  expect(await redis.ttl(name)).toBeGreaterThan(290)
  await redis.flushdb()
  time.ms += 299_000
  expect(await keys.claimOnce(key, 300)).toBe(false)
  time.ms += 2_000
  expect(await keys.claimOnce(key, 300)).toBe(true)
  expect((await redis.keys('*')).join()).not.toContain(key)
})

it('decides per process while Redis is unavailable, and reports it', async () => {
  const away = createRedis('redis://127.0.0.1:1', { name: 'away', onError: () => undefined })
  const { keys } = recentKeys(away)
  const key = newId('req')
  expect([await keys.claimOnce(key, 60), await keys.claimOnce(key, 60)]).toEqual([true, false])
  expect(errors).toHaveLength(1)
  away.disconnect()
})
