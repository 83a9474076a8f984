import { eventually, latch, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createTagVersionStore } from '../../src/cache/tag-version-store.ts'
import { createTagVersions } from '../../src/cache/tag-versions.ts'
import { killSubscribers } from '../redis/kill-subscribers.ts'
import { type OpenCache, openCache, TEST_KEYS } from './open-cache.ts'

const policy = { softTtlMs: 60_000, staleWhileRevalidateMs: 30_000, staleIfErrorMs: 600_000 }
const TAGS = TEST_KEYS.prefix('cache-tags')
const TTL_MS = 60_000

function counted(open: OpenCache) {
  const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
  return async (content: string, tags: readonly string[]) => {
    const hit = await pages.get({ dims: { key: 'a' }, tags, load: async () => ({ body: content }) })
    return hit.body.toString()
  }
}

describe('invalidation by tag', () => {
  it('reaches every process within a second, and only entries with the tag', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const [first, second] = [counted(one), counted(two)]
    expect(await first('old', ['tenant:a', 'kind:x'])).toBe('old')
    expect(await second('never', ['kind:x', 'tenant:a'])).toBe('old')
    expect(await second('other', ['tenant:b'])).toBe('other')
    await one.cache.invalidate(['tenant:a'])
    const toldMs = performance.now()
    expect(await first('new', ['tenant:a', 'kind:x'])).toBe('new')
    await eventually(async () => expect(await second('n', ['tenant:a', 'kind:x'])).toBe('new'))
    // A second on an idle machine; on a busy one this only shows that it does not wait for expiry.
    expect(performance.now() - toldMs).toBeLessThan(5_000)
    expect(await second('never', ['tenant:b'])).toBe('other')
  })

  it('also reaches requests with the same frozen dims and tags, in every process', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const dims = Object.freeze({ key: 'a' })
    const tags = ['tenant:a']
    const [first, second] = [one, two].map(({ cache }) =>
      cache.define({ name: 'page', dimensions: ['key'], ...policy }),
    )
    const texts = () => [first, second].map((pages) => pages?.peek(dims, tags)?.body.toString())
    const load = async () => ({ body: 'old' })
    for (const pages of [first, second]) await pages?.get({ dims, tags, load })
    expect(texts()).toEqual(['old', 'old'])
    await one.cache.invalidate(['tenant:b'])
    expect(texts()).toEqual(['old', 'old'])
    await two.cache.invalidate(['tenant:a'])
    await eventually(() => expect(texts()).toEqual([undefined, undefined]))
    await first?.get({ dims, tags, load: async () => ({ body: 'new' }) })
    expect(first?.peek(dims, ['tenant:a'])?.body.toString()).toBe('new')
    expect(first?.peek(dims, [])).toBeUndefined()
  })

  it('is found by the poll when the broadcast is lost', async () => {
    const urls = await testRedis()
    await using one = openCache(urls, { versionPollMs: 3_600_000 })
    await using deaf = openCache(urls, { versionPollMs: 100 })
    const read = counted(deaf)
    expect(await read('old', ['tenant:a'])).toBe('old')
    const store = createTagVersionStore({ redis: one.versions, prefix: TAGS, ttlMs: TTL_MS })
    const { version } = await store.bump('tenant:b')
    // The same effect as a bump whose message was lost: value and counter change without a
    // notification.
    await one.versions.set(`${TAGS}{tags}:tenant:a`, version + 1_000)
    await one.versions.incr(`${TAGS}{tags}@changes`)
    await eventually(async () => expect(await read('new', ['tenant:a'])).toBe('new'))
  })

  it('is idempotent when it arrives twice, late or out of order', async () => {
    const { sessionUrl, cacheUrl } = await testRedis()
    await using open = openCache({ sessionUrl, cacheUrl })
    const store = createTagVersionStore({ redis: open.versions, prefix: TAGS, ttlMs: TTL_MS })
    using versions = createTagVersions({ store, onError: () => undefined })
    await versions.load(['t'])
    const first = await store.bump('t')
    const second = await store.bump('t')
    expect(second.version).toBeGreaterThan(first.version)
    await eventually(() => expect(versions.versionKey(['t'])).toContain(`@${second.version}`))
    await open.versions.publish(`ch:${open.versions.options.db}:cache-tags`, `1 ${first.version} t`)
    await store.raise('t', first.version)
    await versions.load(['t'])
    expect(versions.versionKey(['t'])).toContain(`@${second.version}`)
  })

  it('is not lost when the store returns with an older version than a process knows', async () => {
    await using open = openCache(await testRedis())
    const store = createTagVersionStore({ redis: open.versions, prefix: TAGS, ttlMs: TTL_MS })
    using versions = createTagVersions({ store, onError: () => undefined, pollMs: 50 })
    await versions.load(['t'])
    await versions.invalidate(['t'])
    const known = versions.versionKey(['t'])
    const [old] = await open.versions.mget(`${TAGS}{tags}:t`)
    await open.versions.set(`${TAGS}{tags}:t`, '5')
    await open.versions.incr(`${TAGS}{tags}@changes`)
    await eventually(async () => expect(await open.versions.get(`${TAGS}{tags}:t`)).toBe(old))
    expect(versions.versionKey(['t'])).toBe(known)
  })

  it('is received while the first read of the tag is in progress', async () => {
    await using open = openCache(await testRedis())
    const store = createTagVersionStore({ redis: open.versions, prefix: TAGS, ttlMs: TTL_MS })
    const [requested, release] = [latch(), latch()]
    const slow = {
      ...store,
      async read(tags: readonly string[]) {
        const snapshot = await store.read(tags)
        requested.open()
        await release.promise
        return snapshot
      },
    }
    using versions = createTagVersions({ store: slow, onError: () => undefined })
    await open.versions.ping()
    const learned = versions.load(['t'])
    await requested.promise
    const heard = latch()
    store.subscribe({ onChange: () => heard.open(), onReconnect: () => undefined })
    const { version } = await store.bump('t')
    await heard.promise
    release.open()
    expect(await learned).toContain(`|t@${version}`)
  })

  it('evicts the least recently used tag at the bound and reads it again', async () => {
    await using open = openCache(await testRedis())
    const store = createTagVersionStore({ redis: open.versions, prefix: TAGS, ttlMs: TTL_MS })
    using versions = createTagVersions({ store, onError: () => undefined, maxTags: 2 })
    const first = await versions.load(['a'])
    await versions.load(['b'])
    await versions.load(['c'])
    expect(versions.versionKey(['a'])).toBeUndefined()
    expect(await versions.load(['a'])).toBe(first)
  })

  it('rejects too many tags and invalid tags', async () => {
    await using open = openCache(await testRedis())
    const read = counted(open)
    const many = Array.from({ length: 129 }, (_, at) => `t${at}`)
    for (const tags of [many, [''], ['@epoch'], ['a b'], ['x'.repeat(201)]]) {
      await expect(read('x', tags)).rejects.toThrow(TypeError)
    }
    await expect(open.cache.invalidate(['a b'])).rejects.toThrow(TypeError)
  })

  it('waits for a lost subscription to return and then checks the versions', async () => {
    const urls = await testRedis()
    await using one = openCache(urls, { versionPollMs: 3_600_000 })
    await using two = openCache(urls, { versionPollMs: 3_600_000 })
    const [first, second] = [counted(one), counted(two)]
    expect(await first('old', ['tenant:a'])).toBe('old')
    expect(await second('old', ['tenant:a'])).toBe('old')
    await killSubscribers(one.versions)
    await one.cache.invalidate(['tenant:a'])
    await eventually(async () => expect(await second('new', ['tenant:a'])).toBe('new'))
  })
})
