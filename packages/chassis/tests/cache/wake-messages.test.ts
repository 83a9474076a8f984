import { eventually, latch, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { openCache, type RedisUrls } from './open-cache.ts'

const policy = {
  name: 'page',
  dimensions: ['id'],
  softTtlMs: 60_000,
  staleWhileRevalidateMs: 0,
  staleIfErrorMs: 0,
} as const

/** A process, and a page of it. */
function openReader(urls: RedisUrls) {
  const opened = openCache(urls)
  const pages = opened.cache.define(policy)
  return {
    ...opened,
    get: (id: string, load: () => Promise<{ body: string; status?: number }>) =>
      pages.get({ dims: { id }, load }),
  }
}

/** The messages that all processes receive from now on. */
async function recordMessages(urls: RedisUrls) {
  const { redis, ...opened } = openCache(urls)
  const messages: string[] = []
  const subscriber = redis.duplicate()
  const suffix = `wake@${redis.options.db}`
  subscriber.on('pmessage', (_pattern: string, channel: string, message: string) => {
    if (channel.endsWith(suffix)) messages.push(message)
  })
  await subscriber.psubscribe('*')
  return {
    messages,
    redis,
    async [Symbol.asyncDispose]() {
      subscriber.disconnect()
      await opened[Symbol.asyncDispose]()
    },
  }
}

const page = async () => ({ body: 'page' })

describe('the wake-up of a lease', () => {
  it('is not published when no other process waits', async () => {
    const urls = await testRedis()
    await using recorded = await recordMessages(urls)
    await using reader = openReader(urls)
    for (const id of ['a', 'b', 'c']) await reader.get(id, page)
    await eventually(async () => {
      const [entries, leases] = [
        await recorded.redis.keys('*}'),
        await recorded.redis.keys('*:lease'),
      ]
      expect([entries.length, leases.length]).toEqual([3, 0])
    })
    // A message of its own arrives after all earlier ones.
    await recorded.redis.publish(`end-wake@${recorded.redis.options.db}`, 'end')
    await expect.poll(() => recorded.messages).toEqual(['end'])
  })

  it.each([
    ['the entry was written', page, 'written'],
    ['it cannot be cached', async () => ({ body: 'no', status: 503 }), 'uncacheable'],
    ['the load failed', () => Promise.reject(new TypeError('a bug')), 'failed'],
  ])('is published once when another process waits and %s', async (_when, load, kind) => {
    const urls = await testRedis()
    await using recorded = await recordMessages(urls)
    await using leader = openReader(urls)
    await using follower = openReader(urls)
    const gate = latch()
    const leading = leader.get('a', () => gate.promise.then(load))
    await eventually(async () => expect(await recorded.redis.keys('*:lease')).toHaveLength(1))
    const following = follower.get('a', page)
    await eventually(async () => expect(await recorded.redis.keys('*:waiting')).toHaveLength(1))
    gate.open()
    await Promise.allSettled([leading, following])
    await expect.poll(() => recorded.messages).toHaveLength(1)
    expect(recorded.messages[0]).toContain(` ${kind}`)
    expect(await recorded.redis.keys('*:waiting')).toEqual([])
  })
})
