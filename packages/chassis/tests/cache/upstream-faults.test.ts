import { problem } from '@melmastoon/domain'
import { eventually, latch, testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createDeadline } from '../../src/clock/index.ts'
import { movableClock } from './movable-clock.ts'
import { openCache } from './open-cache.ts'

const policy = { softTtlMs: 60_000, staleWhileRevalidateMs: 30_000, staleIfErrorMs: 600_000 }
const UNAVAILABLE = 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'
const failing = () => Promise.reject(problem(UNAVAILABLE))

describe('an upstream that fails', () => {
  it('SF-07 is hidden by the stale entry until its hard expiry, and called once a second', async () => {
    const clock = movableClock()
    await using open = openCache(await testRedis(), { clock })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy, jitter: 0 })
    const dims = { key: 'a' }
    await pages.get({ dims, load: async () => ({ body: 'good' }) })
    clock.move(60_000)
    for (let second = 0; second < 300; second += 5) {
      for (let at = 0; at < 10; at += 1) {
        const hit = await pages.get({ dims, load: failing })
        expect(`${hit.body.toString()} ${hit.state}`).toBe('good stale')
        await eventually(() => expect(open.counts['upstreamCall']).toBe(2 + second / 5))
      }
      clock.move(5_000)
    }
    clock.move(301_000)
    await expect(pages.get({ dims, load: failing })).rejects.toMatchObject({ code: UNAVAILABLE })
  })

  it('SF-07 fails the waiting processes immediately, with one call', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const define = { name: 'page', dimensions: ['key'], ...policy }
    const [leading, following] = [one.cache.define(define), two.cache.define(define)]
    const [started, failed] = [latch(), latch()]
    const leader = leading.get({
      dims: { key: 'a' },
      load: async () => {
        started.open()
        await failed.promise
        throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
      },
    })
    await started.promise
    const startedMs = performance.now()
    let loads = 0
    const load = async () => ({ body: `second ${++loads}` })
    const follower = following.get({ dims: { key: 'a' }, load })
    setTimeout(() => failed.open(), 100)
    const outcomes = await Promise.allSettled([leader, follower])
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN' },
      })
    }
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    expect(loads).toBe(0)
    expect((await following.get({ dims: { key: 'a' }, load })).body.toString()).toBe('second 1')
  })

  it('SF-07 control: without a stale entry the request fails, and nothing is cached', async () => {
    await using open = openCache(await testRedis())
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const dims = { key: 'a' }
    await expect(pages.get({ dims, load: failing })).rejects.toMatchObject({ code: UNAVAILABLE })
    expect((await pages.get({ dims, load: async () => ({ body: 'ok' }) })).state).toBe('miss')
  })

  it('is not waited for beyond the deadline of the load, even if the load ignores its signal', async () => {
    await using open = openCache(await testRedis())
    const pages = open.cache.define({
      name: 'page',
      dimensions: ['key'],
      ...policy,
      loadTimeoutMs: 80,
    })
    const load = () => new Promise<never>(() => undefined)
    await expect(pages.get({ dims: { key: 'a' }, load })).rejects.toMatchObject({
      code: 'MELMASTOON.BFF.UPSTREAM_TIMEOUT',
    })
  })

  it('delays a request until its own deadline at most, while the load continues', async () => {
    await using open = openCache(await testRedis())
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const gate = latch()
    const load = async () => {
      await gate.promise
      return { body: 'late' }
    }
    using deadline = createDeadline(50)
    const dims = { key: 'a' }
    await expect(pages.get({ dims, deadline, load })).rejects.toMatchObject({
      code: 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED',
    })
    gate.open()
    await eventually(() => expect(pages.peek(dims)?.body.toString()).toBe('late'))
    expect(open.counts['upstreamCall']).toBe(1)
  })

  it('makes a follower load directly after its maximum wait', async () => {
    const urls = await testRedis()
    await using one = openCache(urls)
    await using two = openCache(urls)
    const define = { name: 'page', dimensions: ['key'], ...policy, followerWaitMs: 100 }
    const gate = latch()
    const started = latch()
    const slow = one.cache.define(define).get({
      dims: { key: 'a' },
      load: async () => {
        started.open()
        await gate.promise
        return { body: 'slow' }
      },
    })
    await started.promise
    const direct = await two.cache
      .define(define)
      .get({ dims: { key: 'a' }, load: async () => ({ body: 'direct' }) })
    expect(direct.body.toString()).toBe('direct')
    gate.open()
    expect((await slow).body.toString()).toBe('slow')
  })
})

describe('many cold keys', () => {
  it('SF-08 stay within the bulkhead and do not affect cached keys', async () => {
    await using open = openCache(await testRedis())
    const patient = { ...policy, loadTimeoutMs: 25_000 }
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...patient })
    const bulkhead = semaphore(16)
    const load = (key: number) => () => bulkhead.run(async () => ({ body: `page ${key}` }))
    await pages.get({ dims: { key: 'hot' }, load: async () => ({ body: 'hot' }) })
    let crawled = 0
    const crawl = Array.from({ length: 3_000 }, async (_, key) => {
      const hit = await pages.get({ dims: { key }, load: load(key) })
      crawled += 1
      return hit.body.toString()
    })
    const settled = Promise.allSettled(crawl)
    for (let at = 0; at < 20; at += 1) {
      expect((await pages.get({ dims: { key: 'hot' }, load: failing })).state).toBe('hit')
    }
    expect(crawled).toBe(0)
    expect((await settled).filter((outcome) => outcome.status === 'rejected')).toEqual([])
    expect(bulkhead.highest).toBe(16)
    expect(open.counts['upstreamCall']).toBe(3_001)
  })

  it('SF-08 beyond the bound of waiting requests are rejected, not queued', async () => {
    await using open = openCache(await testRedis(), { maxWaiting: 10 })
    const pages = open.cache.define({ name: 'page', dimensions: ['key'], ...policy })
    const gate = latch()
    const load = async () => {
      await gate.promise
      return { body: 'x' }
    }
    const waiting = Array.from({ length: 10 }, (_, key) => pages.get({ dims: { key }, load }))
    await expect(pages.get({ dims: { key: 'more' }, load })).rejects.toMatchObject({
      code: 'MELMASTOON.GENERAL.OVERLOADED',
    })
    gate.open()
    expect(await Promise.all(waiting)).toHaveLength(10)
    expect((await pages.get({ dims: { key: 'more' }, load })).state).toBe('miss')
  })
})

function semaphore(limit: number) {
  const queue: (() => void)[] = []
  const state = { running: 0, highest: 0 }
  return {
    get highest() {
      return state.highest
    },
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (state.running >= limit) await new Promise<void>((resolve) => queue.push(resolve))
      state.running += 1
      state.highest = Math.max(state.highest, state.running)
      try {
        await new Promise((resolve) => setImmediate(resolve))
        return await work()
      } finally {
        state.running -= 1
        queue.shift()?.()
      }
    },
  }
}
