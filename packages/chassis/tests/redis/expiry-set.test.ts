import { testRedis } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createExpirySet,
  createKeySpace,
  createRedis,
  type ExpirySet,
  type Redis,
  waitUntilReady,
} from '../../src/redis/index.ts'

let redis: Redis
let other: Redis
let expiries: ExpirySet
let nowMs: number
const prefix = createKeySpace('test-service').prefix('draft-expiry')

beforeAll(async () => {
  const { sessionUrl } = await testRedis()
  redis = createRedis(sessionUrl, { name: 'expiries', onError: () => undefined })
  other = createRedis(sessionUrl, { name: 'others', onError: () => undefined })
  await waitUntilReady(redis, 5_000)
  expiries = createExpirySet({ redis, prefix })
})
afterAll(() => {
  redis.disconnect()
  other.disconnect()
})
beforeEach(async () => {
  await redis.flushdb()
  const [seconds] = await redis.time()
  nowMs = Number(seconds) * 1000
})

const idsOf = async (limit = 100) => (await expiries.due(limit)).map(({ id }) => id)

describe('an expiry set', () => {
  it('returns what is due, longest first, and no more than the limit', async () => {
    for (const [id, offsetMs] of [
      ['later', 60_000],
      ['second', -2_000],
      ['first', -3_000],
      ['third', -1_000],
    ] as const) {
      await expiries.schedule(id, new Date(nowMs + offsetMs))
    }
    expect(await expiries.due(100)).toEqual([
      { id: 'first', at: new Date(nowMs - 3_000) },
      { id: 'second', at: new Date(nowMs - 2_000) },
      { id: 'third', at: new Date(nowMs - 1_000) },
    ])
    expect(await idsOf(2)).toEqual(['first', 'second'])
    expect(await expiries.count()).toBe(4)
  })

  it('is decided by the time of the server, not of the process', async () => {
    await expiries.schedule('later', new Date(nowMs + 60_000))
    vi.useFakeTimers({ now: nowMs + 3_600_000, toFake: ['Date'] })
    try {
      expect(await idsOf()).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps what is due until it is removed, so that a crash loses nothing', async () => {
    await expiries.schedule('draft', new Date(nowMs - 1))
    expect(await idsOf()).toEqual(['draft'])
    expect(await idsOf()).toEqual(['draft'])
    expect(await expiries.remove('draft')).toBe(true)
    expect(await expiries.remove('draft')).toBe(false)
    expect(await idsOf()).toEqual([])
  })

  it('does not remove an id that was rescheduled since it was read', async () => {
    await expiries.schedule('draft', new Date(nowMs - 1))
    const [found] = await expiries.due(1)
    await createExpirySet({ redis: other, prefix }).schedule('draft', new Date(nowMs + 60_000))
    expect(await expiries.remove('draft', found?.at)).toBe(false)
    expect(await expiries.count()).toBe(1)
    // Without the time the later expiry would be lost.
    expect(await expiries.remove('draft')).toBe(true)
    expect(await expiries.count()).toBe(0)
  })

  it('lets one of several removers through', async () => {
    const at = new Date(nowMs - 1)
    await expiries.schedule('draft', at)
    const sets = [expiries, createExpirySet({ redis: other, prefix })]
    const removing = Array.from({ length: 10 }, () => sets.map((set) => set.remove('draft', at)))
    const removed = await Promise.all(removing.flat())
    expect(removed.filter((isRemoved) => isRemoved)).toHaveLength(1)
  })

  it('rejects an invalid time', async () => {
    await expect(expiries.schedule('draft', new Date(Number.NaN))).rejects.toThrow(TypeError)
  })
})
