import { describe, expect, it } from 'vitest'
import {
  cyclesOf,
  fanIn,
  featuresOf,
  median,
  routesOf,
  sizesOf,
  smallFiles,
} from './measure-structure.ts'
import type { Module } from './read-modules.ts'

const SOURCE = 'services/a/src'

function module(path: string, imports: readonly string[] = [], lines = 20): Module {
  return { path: `${SOURCE}/${path}`, lines, imports: imports.map((each) => `${SOURCE}/${each}`) }
}

const modules = [
  module('context.ts', ['search/cache.ts', 'rooms/rooms.ts']),
  module('http/routes/index.ts', ['http/routes/find.ts']),
  module('http/routes/find.ts', ['context.ts', 'search/find.ts'], 10),
  module('http/hooks/limit.ts', ['limits/limit.ts']),
  module('search/find.ts', ['rooms/rooms.ts'], 30),
  module('search/cache.ts', [], 14),
  module('rooms/rooms.ts'),
  module('limits/limit.ts'),
]

describe('the structure report', () => {
  it('counts the files a route needs, without those of the composition root', () => {
    expect(routesOf(modules, 'services/a')).toEqual([
      { route: 'find', files: 3, lines: 60, folders: 3, filesWithHooks: 5 },
    ])
  })

  it('lists which feature imports which, and groups that import each other', () => {
    const features = featuresOf(modules, 'services/a')
    expect(features.get('search')).toEqual(['rooms'])
    expect(cyclesOf(features)).toEqual([])
    const cyclic = featuresOf([...modules, module('rooms/x.ts', ['search/cache.ts'])], 'services/a')
    expect(cyclesOf(cyclic)).toEqual([['search', 'rooms']])
  })

  it('counts small files, but neither routes nor index files', () => {
    expect(smallFiles(modules).map(({ path }) => path)).toEqual([`${SOURCE}/search/cache.ts`])
  })

  it('counts files, lines and importers', () => {
    expect(sizesOf(modules)).toEqual([{ name: 'services/a', files: 8, lines: 154 }])
    expect(fanIn(modules)[0]).toEqual({ path: `${SOURCE}/rooms/rooms.ts`, importers: 2 })
    expect(median([3, 1, 2])).toBe(2)
  })
})
