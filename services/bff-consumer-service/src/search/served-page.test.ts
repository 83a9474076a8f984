import { describe, expect, it } from 'vitest'
import { agingOf, factsOf, type PageFacts } from './served-page.ts'

const FACTS = { total: 1, items: 1, priced: 1, pricesStaleFromMs: 60_000 }

describe('the facts of a page', () => {
  it.each<PageFacts>([
    { total: 214, items: 20, priced: 18, pricesStaleFromMs: 1_763_208_000_000 },
    { total: 0, items: 0, priced: 0, pricesStaleFromMs: null },
  ])('are those stored with the entry: %j', (facts) => {
    expect(factsOf({ facts })).toEqual(facts)
  })

  it.each([{}, { total: 1, items: 1, priced: 1 }, { total: '1' }])(
    'are unknown for an entry with %j: its prices are stale',
    (facts) => {
      const aging = agingOf({ state: 'hit', ageMs: 0 }, factsOf({ facts }), Date.now())
      expect(aging?.name).toBe('stale prices')
    },
  )
})

describe('the age of a page', () => {
  it.each([
    ['hit', 0, 59_999, undefined],
    ['hit', 60_000, 60_000, 'stale prices'],
    ['stale', 5_000, 5_000, undefined],
    ['stale', 70_000, 70_000, 'stale listings prices'],
    ['stale', 60_000, 59_999, 'stale listings'],
  ] as const)('%s of age %i at %i: %s', (state, ageMs, nowMs, name) => {
    expect(agingOf({ state, ageMs }, FACTS, nowMs)?.name).toBe(name)
  })

  it('is irrelevant for prices of a page without prices', () => {
    const facts = { ...FACTS, pricesStaleFromMs: null }
    expect(agingOf({ state: 'hit', ageMs: 90_000 }, facts, 90_000)).toBeNull()
  })
})
