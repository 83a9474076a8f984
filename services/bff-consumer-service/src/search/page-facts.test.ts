import { expect, it } from 'vitest'
import { FACTS_HEADER, factsOf, type PageFacts, writeFacts } from './page-facts.ts'

it.each<PageFacts>([
  { total: 214, items: 20, priced: 18, pricesStaleFromMs: 1_763_208_000_000 },
  { total: 0, items: 0, priced: 0, pricesStaleFromMs: null },
])('what is written is read: %j', (facts) => {
  expect(factsOf({ headers: { [FACTS_HEADER]: writeFacts(facts) } })).toEqual(facts)
})

it('an entry without them has none', () => {
  expect(factsOf({ headers: {} }).total).toBe(0)
})
