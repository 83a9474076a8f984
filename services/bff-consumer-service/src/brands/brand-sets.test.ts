import type { TenantId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { BrandSets, type Brands } from './brand-sets.ts'

const START_MS = 1_000 * 60_000
const KEY = 'tnt_1 tnt_2'

const brandsOf = (status: Brands['status'] = 'fresh'): Brands => ({
  bytesByTenant: new Map([['tnt_1' as TenantId, Buffer.from('{}')]]),
  byTenant: new Map(),
  version: 'v1',
  status,
  ageMs: 0,
  freshUntilMs: START_MS + 30_000,
})

function startWorld() {
  const world = { nowMs: START_MS, versions: 1 }
  const deps = {
    clock: { now: () => new Date(world.nowMs), nowMs: () => world.nowMs, monotonicMs: () => 0 },
    cache: {
      stamp: (tags: readonly string[]) => ({
        tags,
        versionKey: String(world.versions),
        generation: 0,
      }),
      isCurrent: ({ versionKey }: { versionKey: string }) => versionKey === String(world.versions),
    },
  }
  const sets = new BrandSets()
  const stamp = () => deps.cache.stamp(['brand:tnt_1'])
  return { world, sets, stamp, find: (key = KEY) => sets.find(deps, key) }
}

describe('a set of brands', () => {
  it('is found while nothing changes, by its tenants only', () => {
    const { world, sets, stamp, find } = startWorld()
    const brands = brandsOf()
    sets.remember(KEY, brands, stamp())
    world.nowMs += 29_999
    expect([find(), find('tnt_1')]).toEqual([brands, undefined])
  })

  it.each([
    ['one is no longer fresh', 30_000, 0],
    ['one was invalidated', 0, 1],
  ])('is not found when %s', (_what, laterMs, invalidations) => {
    const { world, sets, stamp, find } = startWorld()
    sets.remember(KEY, brandsOf(), stamp())
    world.nowMs += laterMs
    world.versions += invalidations
    expect(find()).toBeUndefined()
  })

  it('is not found when one was invalidated while they were read', () => {
    const { world, sets, stamp, find } = startWorld()
    const before = stamp()
    world.versions += 1
    sets.remember(KEY, brandsOf(), before)
    expect(find()).toBeUndefined()
  })

  it.each(['stale', 'missing'] as const)('is not remembered when one is %s', (status) => {
    const { sets, stamp, find } = startWorld()
    sets.remember(KEY, brandsOf(status), stamp())
    expect(find()).toBeUndefined()
  })

  it('is not remembered while the versions of its tags are unknown', () => {
    const { sets, find } = startWorld()
    sets.remember(KEY, brandsOf(), undefined)
    expect(find()).toBeUndefined()
  })
})
