import { randomBytes } from 'node:crypto'
import { eventually, latch, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { movableClock } from './movable-clock.ts'
import { openCache, TEST_KEYS } from './open-cache.ts'

const policy = { softTtlMs: 60_000, staleWhileRevalidateMs: 30_000, staleIfErrorMs: 600_000 }

describe('a cache', () => {
  it('serves from memory, then from Redis, byte for byte', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const define = { name: 'page', dimensions: ['key'], ...policy }
    const body = JSON.stringify({ text: 'سلام '.repeat(2_000) })
    const facts = { total: 3, untilMs: null }
    const load = async () => ({ body, headers: { 'content-language': 'fa-AF' }, facts })
    const first = await one.cache.define(define).get({ dims: { key: 'a' }, load })
    await eventually(async () => expect(await one.redis.dbsize()).toBe(1))
    const pages = two.cache.define(define)
    expect(pages.peek({ key: 'a' })).toBeUndefined()
    const second = await pages.get({ dims: { key: 'a' }, load })
    expect([first.state, second.state, pages.peek({ key: 'a' })?.state]).toEqual([
      'miss',
      'hit',
      'hit',
    ])
    expect(second.body.toString()).toBe(body)
    expect([second.etag, second.status, second.headers]).toEqual([
      first.etag,
      200,
      { 'content-type': 'application/json', 'content-language': 'fa-AF' },
    ])
    expect([first.facts, second.facts]).toEqual([facts, facts])
    expect(two.counts['upstreamCall']).toBeUndefined()
  })

  it('keeps an entry that is not shared in its process, and loads it once there', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const pagesOf = ({ cache }: typeof one) =>
      cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const gate = latch()
    const load = async () => {
      await gate.promise
      return { body: 'x' }
    }
    const read = (pages: ReturnType<typeof pagesOf>) =>
      pages.get({ dims: { key: 'a' }, tags: ['tag'], isShared: false, load })
    const pages = pagesOf(one)
    const reads = Array.from({ length: 10 }, () => read(pages))
    gate.open()
    expect(new Set((await Promise.all(reads)).map(({ state }) => state))).toEqual(new Set(['miss']))
    expect([await one.redis.dbsize(), one.counts['upstreamCall']]).toEqual([0, 1])
    expect([(await read(pages)).state, (await read(pagesOf(two))).state]).toEqual(['hit', 'miss'])
    // An invalidated tag is the same for all processes.
    await two.cache.invalidate(['tag'])
    await eventually(async () => expect((await read(pages)).state).toBe('miss'))
  })

  it('serves a stale entry while one refresh runs in the background', async () => {
    const clock = movableClock()
    await using open = openCache(await testRedis(), { clock })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const dims = { key: 'a' }
    await pages.get({ dims, load: async () => ({ body: 'old' }) })
    clock.move(70_000)
    const gate = latch()
    const load = async () => {
      await gate.promise
      return { body: 'new' }
    }
    const hits = await Promise.all(Array.from({ length: 50 }, () => pages.get({ dims, load })))
    expect(new Set(hits.map((hit) => `${hit.body.toString()} ${hit.state}`))).toEqual(
      new Set(['old stale']),
    )
    gate.open()
    await eventually(async () => expect((await pages.get({ dims, load })).state).toBe('hit'))
    expect(open.counts['upstreamCall']).toBe(2)
    expect(hits[0]?.ageMs).toBeGreaterThanOrEqual(70_000)
  })

  it('refreshes a frequently requested entry early (XFetch)', async () => {
    const clock = movableClock()
    const draws = { next: 0.5 }
    await using open = openCache(await testRedis(), { clock, random: () => draws.next })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const dims = { key: 'a' }
    const load = async () => ({ body: 'x' })
    await pages.get({ dims, load })
    clock.move(55_000)
    expect((await pages.get({ dims, load })).state).toBe('hit')
    expect(open.counts['earlyRefresh']).toBeUndefined()
    draws.next = 0
    expect((await pages.get({ dims, load })).state).toBe('hit')
    expect(open.counts['earlyRefresh']).toBe(1)
    await eventually(() => expect(open.counts['upstreamCall']).toBe(2))
  })

  it('refreshes an entry that is only peeked at early too', async () => {
    const clock = movableClock()
    const draws = { next: 0.5 }
    await using open = openCache(await testRedis(), { clock, random: () => draws.next })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const dims = { key: 'a' }
    await pages.get({ dims, load: async () => ({ body: 'old' }) })
    clock.move(55_000)
    expect(pages.peek(dims)?.state).toBe('hit')
    draws.next = 0
    expect(pages.peek(dims)).toBeUndefined()
    // The decision stands, although another draw would be different.
    draws.next = 0.5
    expect(pages.peek(dims)).toBeUndefined()
    const gate = latch()
    const load = async () => {
      await gate.promise
      return { body: 'new' }
    }
    expect((await pages.get({ dims, load })).body.toString()).toBe('old')
    expect(open.counts['earlyRefresh']).toBe(1)
    draws.next = 0
    expect(pages.peek(dims)?.body.toString()).toBe('old')
    gate.open()
    await eventually(() => expect(pages.peek(dims)?.body.toString()).toBe('new'))
    expect(open.counts['upstreamCall']).toBe(2)
  })

  it('does not peek at an entry that has expired', async () => {
    const clock = movableClock()
    await using open = openCache(await testRedis(), { clock, random: () => 1 })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy, jitter: 0 })
    const dims = { key: 'a' }
    await pages.get({ dims, load: async () => ({ body: 'old' }) })
    clock.move(59_000)
    expect(pages.peek(dims)?.state).toBe('hit')
    clock.move(1_000)
    expect(pages.peek(dims)).toBeUndefined()
  })

  it('caches a 404 for five seconds', async () => {
    const clock = movableClock()
    await using open = openCache(await testRedis(), { clock })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const get = () =>
      pages.get({ dims: { key: 'a' }, load: async () => ({ body: '{}', status: 404 }) })
    expect([(await get()).status, (await get()).state]).toEqual([404, 'hit'])
    clock.move(5_600)
    expect((await get()).state).toBe('miss')
  })

  it('caches no status except 200 and 404', async () => {
    await using open = openCache(await testRedis())
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const get = () =>
      pages.get({ dims: { key: 'a' }, load: async () => ({ body: 'x', status: 502 }) })
    expect([(await get()).state, (await get()).state]).toEqual(['bypass', 'bypass'])
    expect(open.counts['upstreamCall']).toBe(2)
  })

  it('SF-11 serves a body over 5 MiB without caching it, and rejects a body that is not bytes', async () => {
    await using open = openCache(await testRedis())
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const body = randomBytes(5 * 1024 * 1024 + 1)
    const get = () => pages.get({ dims: { key: 'a' }, load: async () => ({ body }) })
    const hit = await get()
    expect([hit.state, hit.body.equals(body)]).toEqual(['bypass', true])
    expect((await get()).state).toBe('bypass')
    await eventually(async () => expect(await open.redis.dbsize()).toBe(0))
    const odd = { amount: 10n } as unknown as string
    const broken = pages.get({ dims: { key: 'b' }, load: async () => ({ body: odd }) })
    await expect(broken).rejects.toThrow(TypeError)
  })

  it('stays within its memory limit', async () => {
    const l1MaxBytes = 200_000
    await using open = openCache(await testRedis(), { l1MaxBytes })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    for (let key = 0; key < 40; key += 1) {
      await pages.get({ dims: { key }, load: async () => ({ body: randomBytes(20_000) }) })
      expect(open.cache.l1Bytes).toBeLessThanOrEqual(l1MaxBytes)
    }
    expect(open.cache.l1Bytes).toBeGreaterThan(l1MaxBytes / 2)
  })

  it('stores zstd, and brotli from the first time that a client receives brotli', async () => {
    await using open = openCache(await testRedis())
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const get = (key: number) =>
      pages.get({ dims: { key }, load: async () => ({ body: 'page '.repeat(1_000) }) })
    const encodings = async () => {
      const keys = await open.redis.keys('*}')
      const frames = await Promise.all(keys.map((key) => open.redis.getBuffer(key)))
      const texts = frames.map((frame) => frame?.toString('latin1') ?? '')
      return new Set(texts.map((text) => /"z":"(\w+)"/.exec(text)?.[1]))
    }
    const first = await get(1)
    await eventually(async () => expect(await encodings()).toEqual(new Set(['zstd'])))
    expect(first.brotli?.length).toBeGreaterThan(0)
    first.wantBrotli()
    await get(2)
    await eventually(async () => expect(await encodings()).toEqual(new Set(['zstd', 'br'])))
  })

  it('treats an invalid value in Redis as a miss and replaces it', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const define = { name: 'page', dimensions: ['key'], ...policy }
    await one.cache.define(define).get({ dims: { key: 'a' }, load: async () => ({ body: 'one' }) })
    const key = await eventually(async () => {
      const [found] = await one.redis.keys(`${TEST_KEYS.prefix('cache')}*`)
      expect(found).toMatch(/\}$/)
      return found ?? ''
    })
    await one.redis.set(key, 'garbage of some length')
    const pages = two.cache.define(define)
    const hit = await pages.get({ dims: { key: 'a' }, load: async () => ({ body: 'two' }) })
    expect([hit.state, hit.body.toString()]).toEqual(['miss', 'two'])
    await eventually(async () => expect(await one.redis.get(key)).toContain('two'))
  })

  it('rejects a definition that outlives its tag versions or has an invalid name', async () => {
    await using open = openCache(await testRedis())
    const week = { ...policy, staleIfErrorMs: 7 * 24 * 3_600_000 }
    expect(() => open.cache.define({ name: 'page', dimensions: [], ...week })).toThrow(TypeError)
    expect(() => open.cache.define({ name: 'A b', dimensions: [], ...policy })).toThrow(TypeError)
  })
})
