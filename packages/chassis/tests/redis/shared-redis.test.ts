import { testRedis } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { createCache } from '../../src/cache/index.ts'
import { createReplayShortcut, type ReplayShortcut } from '../../src/idempotency/index.ts'
import { createLimiter } from '../../src/limits/index.ts'
import { createKeySpace, createRedis } from '../../src/redis/index.ts'
import { createReplayStoreRedis } from '../../src/sessions/index.ts'

const POLICY = { name: 'search', limit: 1, periodSeconds: 3_600 }
const RECORD: Parameters<ReplayShortcut['store']>[1] = {
  requestHash: 'h',
  hashVersion: 1,
  status: 200,
  payload: { sealed: '_.AAAA' },
}

/** A service; two of them use the same name for everything. */
function openService(urls: { cacheUrl: string; sessionUrl: string }, name: string) {
  const onError = () => undefined
  const redis = createRedis(urls.cacheUrl, { name, onError })
  const versions = createRedis(urls.sessionUrl, { name, onError })
  const keys = createKeySpace(name)
  const cache = createCache({ redis, versions, keys })
  const tenants = cache.define({
    name: 'tenant',
    dimensions: ['tenantId'],
    softTtlMs: 60_000,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
  })
  const limiter = createLimiter({ redis, keys, policy: POLICY, failure: 'open' })
  const once = createReplayStoreRedis(versions, keys.prefix('once'))
  const shortcut = createReplayShortcut({ redis, keys, onError })
  return {
    cache,
    redis,
    versions,
    limiter,
    once,
    shortcut,
    async readTenant(body: string): Promise<string> {
      const load = async () => ({ body })
      const entry = await tenants.get({ dims: { tenantId: 'tnt_1' }, tags: ['t:1'], load })
      return entry.body.toString()
    },
    [Symbol.dispose]() {
      cache[Symbol.dispose]()
      redis.disconnect()
      versions.disconnect()
    },
  }
}

type Service = ReturnType<typeof openService>

async function useEverything(first: Service, second: Service) {
  const cached = await first.readTenant('of the first')
  await expect.poll(() => first.redis.dbsize()).toBeGreaterThan(0)
  const read = await second.readTenant('of the second')
  const [limited, alsoLimited] = [
    await first.limiter.take('guest'),
    await second.limiter.take('guest'),
  ]
  const isNew = [await first.once.claim('k', 60_000), await second.once.claim('k', 60_000)]
  await Promise.all([first, second].map(({ shortcut }) => shortcut.find('request')))
  first.shortcut.store('request', RECORD, 60_000)
  await expect.poll(() => first.shortcut.find('request')).not.toBeNull()
  return {
    cached,
    read,
    allowed: [limited.allowed, alsoLimited.allowed],
    isNew,
    replayed: (await second.shortcut.find('request')) !== null,
  }
}

it('D27 two services on one Redis never see each other’s values', async () => {
  const urls = await testRedis()
  using first = openService(urls, 'first-service')
  using second = openService(urls, 'second-service')
  expect(await useEverything(first, second)).toEqual({
    cached: 'of the first',
    read: 'of the second',
    allowed: [true, true],
    isNew: [true, true],
    replayed: false,
  })
  const names = [...(await first.redis.keys('*')), ...(await first.versions.keys('*'))]
  expect(names.filter((key) => !/^(first|second)-service:v[12]:/.test(key))).toEqual([])
})

it('D27 an invalidation by one service leaves the entries of the other one', async () => {
  const urls = await testRedis()
  using first = openService(urls, 'first-service')
  using second = openService(urls, 'second-service')
  await first.readTenant('old')
  await second.readTenant('old')
  await first.cache.invalidate(['t:1'])
  await expect.poll(() => first.readTenant('new')).toBe('new')
  expect(await second.readTenant('new')).toBe('old')
})

it('control: with one key space they share all of it', async () => {
  const urls = await testRedis()
  using first = openService(urls, 'one-service')
  using second = openService(urls, 'one-service')
  expect(await useEverything(first, second)).toEqual({
    cached: 'of the first',
    read: 'of the first',
    allowed: [true, false],
    isNew: [true, false],
    replayed: true,
  })
})
