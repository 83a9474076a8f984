import { describe, expect, it } from 'vitest'
import { runQuery, type SearchRequest } from '../../src/modules/search/run-query.ts'
import { expectedPrices, shownIn } from './expected-prices.ts'
import { loadWorld } from './load-world.ts'
import { requestOf, worldOf } from './start-search.ts'

const world = worldOf(120)
const now = new Date()
const index = loadWorld(world)
index.exchange = null
const priceOf = expectedPrices(world, now)
const idsOf = (request: SearchRequest) =>
  runQuery(index, request, now).items.map(({ propertyId }) => propertyId)
const propertyOf = (id: string) => {
  const property = world.properties.find(({ propertyId }) => propertyId === id)
  if (property === undefined) throw new TypeError('no such property')
  return property
}

describe('D22 without valid exchange rates', () => {
  it('prices of all currencies are sorted by rates of any age', () => {
    const request = requestOf({ sortKey: 'price-asc', currency: 'EUR', limit: 200 })
    const prices = idsOf(request).map((id) => priceOf(propertyOf(id), request))
    const totals = prices.flatMap((price) =>
      price ? Number(shownIn('EUR', price.total, price.currency)) : [],
    )
    expect(new Set(prices.map((price) => price?.currency)).size).toBeGreaterThan(2)
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  })

  it('a price range contains only prices in its own currency', () => {
    const range = { minMicro: '0', maxMicro: '9'.repeat(19) }
    const found = (currency: SearchRequest['currency']) =>
      idsOf(
        requestOf({ currency, limit: 200, filters: { priceRange: { ...range, currency } } }),
      ).map((id) => propertyOf(id).currency)
    expect(new Set(found('AFN'))).toEqual(new Set(['AFN']))
    expect(new Set(found('USD'))).toEqual(new Set(['USD']))
  })
})
