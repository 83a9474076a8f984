import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RedisInstance, startRedis } from '@melmastoon/one-machine'
import { eventually, startTcpProxy, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { startUpstream } from './counting-upstream.ts'
import { COMMAND_TIMEOUT_MS, openCache } from './open-cache.ts'
import { createPageReader, runAll } from './page-reader.ts'

const policy = { softTtlMs: 60_000, staleWhileRevalidateMs: 0, staleIfErrorMs: 600_000 }

interface OwnRedis extends AsyncDisposable {
  server: RedisInstance
  url: string
}

/** A server for this test only, so that it can be killed. It persists nothing. */
async function ownRedis(): Promise<OwnRedis> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cache-redis-'))
  const server = await startRedis({ dataDir, port: 0, policy: 'allkeys-lru' })
  return {
    server,
    url: `redis://127.0.0.1:${server.port}/0`,
    async [Symbol.asyncDispose]() {
      await server.kill()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

describe('Redis killed and restarted empty', () => {
  it('SF-04 costs at most one call per process and key, and fails no request', async () => {
    await using own = await ownRedis()
    await using upstream = await startUpstream(20)
    const { sessionUrl } = await testRedis()
    const config = { cacheUrl: own.url, sessionUrl, upstreamUrl: upstream.url, policy }
    await using stack = new AsyncDisposableStack()
    const readers = [1, 2, 3].map(() => stack.use(createPageReader(config)))
    await runAll(readers, { key: 'known', count: 20, tags: ['tenant:a'] })
    expect(upstream.callsAtMs).toHaveLength(1)
    await own.server.kill()

    const known = await runAll(readers, { key: 'known', count: 50, tags: ['tenant:a'] })
    expect(known.errors).toEqual([])
    expect(upstream.callsAtMs).toHaveLength(1)
    const cold = await runAll(readers, { key: 'cold', count: 50, tags: ['tenant:a'] })
    expect(cold.errors).toEqual([])
    expect(upstream.callsAtMs.length).toBeLessThanOrEqual(1 + 3)

    await own.server.restart()
    const callsBefore = upstream.callsAtMs.length
    const recovered = await runAll(readers, { key: 'known', count: 50, tags: ['tenant:a'] })
    expect(recovered.errors).toEqual([])
    expect(upstream.callsAtMs.length).toBe(callsBefore)
    await eventually(async () => {
      const before = upstream.callsAtMs.length
      const fresh = await runAll(readers, { key: `new-${before}`, count: 20, tags: ['tenant:a'] })
      expect(fresh.errors).toEqual([])
      expect(upstream.callsAtMs.length - before).toBe(1)
    })
  })

  it('SF-04 serves no invalidated entry although the versions were lost too', async () => {
    await using own = await ownRedis()
    const { cacheUrl } = await testRedis()
    const urls = { cacheUrl, sessionUrl: own.url }
    await using open = openCache(urls, { versionPollMs: 50 })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    let made = 0
    const load = async () => ({ body: `made ${++made}` })
    const get = async () => {
      const hit = await pages.get({ dims: { key: 'a' }, tags: ['tenant:a'], load })
      return hit.body.toString()
    }
    expect(await get()).toBe('made 1')
    await open.cache.invalidate(['tenant:a'])
    expect(await get()).toBe('made 2')
    await own.server.kill()
    expect(await get()).toBe('made 2')
    await expect(open.cache.invalidate(['tenant:a'])).rejects.toBeInstanceOf(Error)
    await own.server.restart()
    await eventually(async () => expect(await get()).not.toBe('made 2'))
    expect(await get()).not.toBe('made 1')
  })

  it('SF-04 lets a process that starts meanwhile serve from its own memory', async () => {
    await using own = await ownRedis()
    await own.server.kill()
    await using open = openCache({ cacheUrl: own.url, sessionUrl: own.url })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const get = () =>
      pages.get({ dims: { key: 'a' }, tags: ['t'], load: async () => ({ body: 'alone' }) })
    const all = await Promise.all(Array.from({ length: 20 }, get))
    expect(new Set(all.map((hit) => hit.body.toString()))).toEqual(new Set(['alone']))
    expect((await get()).state).toBe('hit')
    expect(open.counts['upstreamCall']).toBe(1)
  })
  it('delays one request per pause, not every request, when Redis hangs', async () => {
    const { cacheUrl, sessionUrl } = await testRedis()
    await using proxy = await startTcpProxy(cacheUrl)
    await using open = openCache({ cacheUrl: proxy.url, sessionUrl })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const get = (key: string) => pages.get({ dims: { key }, load: async () => ({ body: key }) })
    await get('warm')
    await proxy.setMode({ kind: 'blackhole' })
    expect((await get('first')).body.toString()).toBe('first')
    const startedMs = performance.now()
    for (let at = 0; at < 10; at += 1) expect((await get(`next-${at}`)).state).toBe('miss')
    expect(performance.now() - startedMs).toBeLessThan(COMMAND_TIMEOUT_MS)
    expect((await get('warm')).state).toBe('hit')
  })
})
