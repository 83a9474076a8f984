import { createKeySpace, createRedis } from '@melmastoon/chassis/redis'
import { newId, type TenantId } from '@melmastoon/domain'
import { createTestClock, testRedis } from '@melmastoon/testkit'
import { describe, expect, it, vi } from 'vitest'
import {
  type BlockedTenantsOptions,
  createBlockedTenants,
} from '../../src/tenants/blocked-tenants.ts'

const EARLIER = 1_763_208_000_000
const LATER = EARLIER + 60_000

async function openList(sessionUrl: string, options: Partial<BlockedTenantsOptions> = {}) {
  const redis = createRedis(sessionUrl, { name: 'test', onError: () => undefined })
  const errors: unknown[] = []
  const counts: number[] = []
  const list = createBlockedTenants({
    redis,
    keys: createKeySpace('test'),
    onError: (error) => errors.push(error),
    onCount: (count) => counts.push(count),
    pollMs: 60_000,
    ...options,
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

describe('what is composed and cached', () => {
  /** @param isKnown whether the process notices that the version of the tag has changed. */
  async function openComposer(isKnown = true) {
    const { sessionUrl } = await testRedis()
    const clock = createTestClock()
    const tag = { version: 1 }
    const versionKey = () => (isKnown ? String(tag.version) : '')
    const cache = {
      stamp: (tags: readonly string[]) => ({ tags, versionKey: versionKey(), generation: 0 }),
      isCurrent: (stamp: { readonly versionKey: string }) => stamp.versionKey === versionKey(),
    }
    const opened = await openList(sessionUrl, { clock, invalidated: { cache, tags: ['page'] } })
    const reads = vi.spyOn(opened.redis, 'get')
    const compose = async (tenantId: TenantId) => {
      const { version } = tag
      await opened.list.refreshIfOld()
      return { version, isExcluded: opened.list.has(tenantId) }
    }
    return { ...opened, clock, tag, reads, compose }
  }

  type Composer = Awaited<ReturnType<typeof openComposer>>

  /** As another process does; the broadcast is lost. */
  async function suspendElsewhere({ redis }: Composer, tenantId: TenantId) {
    const key = `${createKeySpace('test').prefix('blocked-tenants')}{tenants}`
    await redis.hset(key, tenantId, `${EARLIER} blocked`)
    await redis.set(`${key}:changes`, newId('req'))
  }

  it('causes one read in 200 ms', async () => {
    using composer = await openComposer()
    const tenantId = newId('tnt')
    for (let page = 0; page < 20; page += 1) await composer.compose(tenantId)
    expect(composer.reads).toHaveBeenCalledTimes(0)
    composer.clock.advance(200)
    await Promise.all(Array.from({ length: 20 }, () => composer.compose(tenantId)))
    expect(composer.reads).toHaveBeenCalledTimes(1)
  })

  it('has the decision, or a version that the decision invalidates', async () => {
    using composer = await openComposer()
    const tenantId = newId('tnt')
    await suspendElsewhere(composer, tenantId)
    expect(await composer.compose(tenantId)).toEqual({ version: 1, isExcluded: false })
    composer.tag.version = 2
    expect(await composer.compose(tenantId)).toEqual({ version: 2, isExcluded: true })
  })

  it('has the decision after 200 ms in any case', async () => {
    using composer = await openComposer()
    const tenantId = newId('tnt')
    await suspendElsewhere(composer, tenantId)
    composer.clock.advance(200)
    expect((await composer.compose(tenantId)).isExcluded).toBe(true)
  })

  it('control: without the comparison of versions it would lack the decision', async () => {
    using composer = await openComposer(false)
    const tenantId = newId('tnt')
    await suspendElsewhere(composer, tenantId)
    composer.tag.version = 2
    expect(await composer.compose(tenantId)).toEqual({ version: 2, isExcluded: false })
  })

  it('is read again after an error', async () => {
    using composer = await openComposer()
    const tenantId = newId('tnt')
    composer.reads.mockRejectedValueOnce(new Error('unavailable'))
    await composer.list.refresh()
    await suspendElsewhere(composer, tenantId)
    expect((await composer.compose(tenantId)).isExcluded).toBe(true)
  })
})
