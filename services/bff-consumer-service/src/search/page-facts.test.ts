import { expect, it } from 'vitest'
import { agingOf } from './aged-form.ts'
import { factsOf, type PageFacts } from './page-facts.ts'

it.each<PageFacts>([
  { total: 214, items: 20, priced: 18, pricesStaleFromMs: 1_763_208_000_000 },
  { total: 0, items: 0, priced: 0, pricesStaleFromMs: null },
])('are what the entry holds: %j', (facts) => {
  expect(factsOf({ facts })).toEqual(facts)
})

it.each([{}, { total: 1, items: 1, priced: 1 }, { total: '1' }])(
  'of an entry that holds %j: its prices are stale',
  (facts) => {
    const aging = agingOf({ state: 'hit', ageMs: 0 }, factsOf({ facts }), Date.now())
    expect(aging).toMatchObject({ prices: true })
  },
)
