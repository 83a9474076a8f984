import { createKeySpace, createRedis } from '@melmastoon/chassis/redis'
import { newId } from '@melmastoon/domain'
import { testRedis } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { createBlockedTenants } from '../../src/tenants/index.ts'

const EARLIER = 1_763_208_000_000
const LATER = EARLIER + 60_000

async function openList(sessionUrl: string) {
  const redis = createRedis(sessionUrl, { name: 'test', onError: () => undefined })
  const errors: unknown[] = []
  const counts: number[] = []
  const list = createBlockedTenants({
    redis,
    keys: createKeySpace('test'),
    onError: (error) => errors.push(error),
    onCount: (count) => counts.push(count),
    pollMs: 60_000,
  })
  await list.refresh()
  return {
    redis,
    list,
    errors,
    counts,
    [Symbol.dispose]() {
      list[Symbol.dispose]()
      redis.disconnect()
    },
  }
}

describe('the list of suspended tenants', () => {
  it('applies the latest decision, in whichever order they are received', async () => {
    using opened = await openList((await testRedis()).sessionUrl)
    const { list } = opened
    const tenantId = newId('tnt')
    await list.decide(tenantId, { blocked: true, decidedAtMs: LATER })
    await list.decide(tenantId, { blocked: false, decidedAtMs: EARLIER })
    expect(list.has(tenantId)).toBe(true)
    await list.decide(tenantId, { blocked: false, decidedAtMs: LATER })
    expect(list.has(tenantId)).toBe(false)
    // The broadcast of a process's own decision may arrive as well.
    expect([opened.counts[0], opened.counts.at(-1)]).toEqual([1, 0])
  })

  it('is the same for every process that refreshes it', async () => {
    const { sessionUrl } = await testRedis()
    using one = await openList(sessionUrl)
    using two = await openList(sessionUrl)
    const tenantId = newId('tnt')
    await one.list.decide(tenantId, { blocked: true, decidedAtMs: EARLIER })
    await two.list.refresh()
    expect(two.list.has(tenantId)).toBe(true)
  })

  it('survives the loss of its store, also when another decision is made before the next read', async () => {
    const { sessionUrl } = await testRedis()
    using one = await openList(sessionUrl)
    using two = await openList(sessionUrl)
    const [before, after] = [newId('tnt'), newId('tnt')]
    await one.list.decide(before, { blocked: true, decidedAtMs: EARLIER })
    await two.list.refresh()
    await one.redis.flushdb()
    await one.list.decide(after, { blocked: true, decidedAtMs: EARLIER })
    await two.list.refresh()
    for (const { list } of [one, two]) {
      expect([before, after].map((tenantId) => list.has(tenantId))).toEqual([true, true])
    }
    using restarted = await openList(sessionUrl)
    expect([before, after].map((tenantId) => restarted.list.has(tenantId))).toEqual([true, true])
  })

  it('remains in effect without its store, and reports the error', async () => {
    using opened = await openList((await testRedis()).sessionUrl)
    const { list, redis, errors } = opened
    const tenantId = newId('tnt')
    await list.decide(tenantId, { blocked: true, decidedAtMs: EARLIER })
    redis.disconnect()
    await list.refresh()
    expect(list.has(tenantId)).toBe(true)
    expect(errors).not.toEqual([])
    await expect(
      list.decide(tenantId, { blocked: false, decidedAtMs: LATER }),
    ).rejects.toBeInstanceOf(Error)
  })
})
