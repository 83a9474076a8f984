import type { TenantId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { ComposedPages } from './composed-pages.ts'

const TENANT = 'tnt_1' as TenantId
const START_MS = 1_000 * 60_000

function startWorld() {
  const world = { nowMs: START_MS, versions: 1, blocked: new Set<TenantId>() }
  const deps = {
    clock: { now: () => new Date(world.nowMs), nowMs: () => world.nowMs, monotonicMs: () => 0 },
    blocked: world.blocked,
    cache: {
      stamp: (tags: readonly string[]) => ({
        tags,
        versionKey: String(world.versions),
        generation: 0,
      }),
      isCurrent: ({ versionKey }: { versionKey: string }) => versionKey === String(world.versions),
    },
  }
  const pages = new ComposedPages<string>()
  const freshUntilMs = START_MS + 30_000
  const composition = { page: 'page', tags: ['hotel:1'], tenants: [TENANT], freshUntilMs }
  pages.remember(deps, 'key', composition)
  return { world, deps, pages, find: () => pages.find(deps, 'key') }
}

describe('a composed page', () => {
  it('is found while nothing changes, by its key only', () => {
    const { world, find, pages, deps } = startWorld()
    world.nowMs += 29_999
    expect([find(), pages.find(deps, 'another key')]).toEqual(['page', undefined])
  })

  it.each([
    ['a part is no longer fresh', 30_000, () => undefined],
    ['a tag was invalidated', 0, (world: { versions: number }) => void (world.versions += 1)],
    [
      'a tenant was suspended',
      0,
      ({ blocked }: { blocked: Set<TenantId> }) => void blocked.add(TENANT),
    ],
  ] as const)('is not found when %s', (_what, laterMs, change) => {
    const { world, find } = startWorld()
    world.nowMs += laterMs
    change(world)
    expect(find()).toBeUndefined()
  })

  it('is composed again in the next minute, because the day may have changed', () => {
    const { world, deps, pages } = startWorld()
    const freshUntilMs = START_MS + 600_000
    pages.remember(deps, 'long', { page: 'page', tags: [], tenants: [], freshUntilMs })
    world.nowMs = START_MS + 59_999
    expect(pages.find(deps, 'long')).toBe('page')
    world.nowMs = START_MS + 60_000
    expect(pages.find(deps, 'long')).toBeUndefined()
  })

  it('is not remembered while a part is about to expire', () => {
    const { deps, pages, world } = startWorld()
    const composition = { page: 'page', tags: [], tenants: [], freshUntilMs: START_MS }
    pages.remember(deps, 'old', composition)
    world.nowMs -= 1
    expect(pages.find(deps, 'old')).toBeUndefined()
  })

  it('is not remembered while the versions of its tags are unknown', () => {
    const { deps, pages } = startWorld()
    const unknown = { ...deps, cache: { ...deps.cache, stamp: () => undefined } }
    const composition = { page: 'page', tags: [], tenants: [], freshUntilMs: START_MS + 1 }
    pages.remember(unknown, 'new', composition)
    expect(pages.find(deps, 'new')).toBeUndefined()
  })
})
