import { Problem, type PropertyId } from '@melmastoon/domain'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RateCard } from '../../src/modules/pricing/module.ts'
import { cheapestInWorld, documentOfWorld } from '../../src/modules/search/document-of-world.ts'
import type { ListingIndex } from '../../src/modules/search/index/listing-index.ts'
import { readCursor, writeCursor } from '../../src/modules/search/paging/cursor.ts'
import { describeQuery } from '../../src/modules/search/paging/describe-query.ts'
import { runQuery, type SearchRequest } from '../../src/modules/search/run-query.ts'
import type { WorldProperty } from '../../src/world/world.ts'
import { loadWorld } from './load-world.ts'
import { rateCardOf } from './rates-of-world.ts'
import { day, requestOf, worldOf } from './start-search.ts'

const world = worldOf(120)
const now = new Date()
const tenants = new Map(world.tenants.map((tenant) => [tenant.tenantId, tenant]))

interface Change {
  readonly at: number
  readonly priceFactor: number
  readonly rating: number
  readonly rooms: number
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat({ max: world.properties.length - 1 }),
  priceFactor: fc.constantFrom(0.01, 0.5, 1, 2, 100),
  rating: fc.integer({ min: 10, max: 100 }).map((value) => value / 10),
  rooms: fc.integer({ min: 2, max: 40 }),
})

describe('paging while listings change', () => {
  it.each(SORT_KEYS)('returns every listing exactly once, by %s', (sortKey) => {
    const changes = fc.array(fc.array(change, { maxLength: 30 }), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(changes, fc.integer({ min: 5, max: 40 }), (rounds, limit) => {
        const index = loadWorld(world)
        const searchRequest = requestOf({ sortKey, limit })
        const before = readAll(index, searchRequest)
        const seen = readAll(index, searchRequest, (page) => {
          for (const each of rounds[page] ?? []) apply(index, each)
        })
        expect(seen).toHaveLength(new Set(seen).size)
        expect(seen).toEqual(expect.arrayContaining(before))
      }),
      { numRuns: 12 },
    )
  })

  it('control: would return a listing twice without former versions', () => {
    const index = loadWorld(world)
    const searchRequest = requestOf({ sortKey: 'price-asc', limit: 10 })
    const [first] = runQuery(index, searchRequest, now).items
    const at = world.properties.findIndex(({ propertyId }) => propertyId === first?.propertyId)
    const dear = { at, priceFactor: 1_000, rating: 5, rooms: 20 }
    const withoutSequence = readAll(index, searchRequest, (page) => {
      if (page === 0) apply(index, dear)
      return 'drop-sequence'
    })
    expect(withoutSequence.filter((id) => id === first?.propertyId)).toHaveLength(2)
  })

  it('omits removed listings, and returns new ones after the page', () => {
    const index = loadWorld(world)
    const searchRequest = requestOf({ limit: 10 })
    const before = readAll(index, searchRequest)
    const gone = before.at(-1)
    const seen = readAll(index, searchRequest, () => {
      const property = world.properties.find(({ propertyId }) => propertyId === gone)
      if (property) put(index, property, { isPublished: false })
    })
    expect(seen).toEqual(before.slice(0, -1))
  })
})

describe('a cursor', () => {
  const index = loadWorld(world)
  const searchRequest = requestOf({ limit: 5 })
  const cursor = runQuery(index, searchRequest, now).nextCursor ?? ''

  it('accepts another page size', () => {
    const { items } = runQuery(index, { ...searchRequest, limit: 9, cursor }, now)
    expect(items.map(({ propertyId }) => propertyId)).toEqual(
      readAll(index, searchRequest).slice(5, 14),
    )
  })

  it.each<[string, Partial<SearchRequest>]>([
    ['another order', { cursor, sortKey: 'price-asc' }],
    ['another filter', { cursor, filters: { starRating: [3] } }],
    ['another stay', { cursor, stay: { checkIn: day(41), checkOut: day(42) } }],
    ['another area', { cursor, geo: { mode: 'city', city: 'kabul' } }],
    ['a damaged one', { cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }],
    ['a changed body', { cursor: `A${cursor.slice(1)}` }],
    ['more behind it', { cursor: `${cursor}.x` }],
    ['invalid', { cursor: 'invalid' }],
    ['binary', { cursor: '////____' }],
  ])('is rejected for %s', (_, changes) => {
    expect(() => runQuery(index, { ...searchRequest, ...changes }, now)).toThrow(
      expect.objectContaining({ code: 'MELMASTOON.SEARCH.CURSOR_INVALID' }),
    )
  })

  it('of arbitrary text is rejected', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(() => readCursor(text, 'query')).toThrow(Problem)
      }),
    )
  })
})

function apply(index: ListingIndex, { at, priceFactor, rating, rooms }: Change): void {
  const property = world.properties[at]
  if (property === undefined) throw new TypeError('no such property')
  put(index, property, { priceFactor, rating })
  index.applyAvailability({
    seq: index.seq + 1,
    propertyId: property.propertyId,
    firstNight: day(-1),
    roomsLeft: [],
    roomsTotal: rooms,
    roomTypes: property.roomTypes.map(({ roomTypeId }) => ({
      roomTypeId,
      roomsTotal: rooms,
      roomsLeft: [],
    })),
  })
}

function put(
  index: ListingIndex,
  property: WorldProperty,
  { isPublished = true, priceFactor = 1, rating = 7 },
): void {
  const tenant = tenants.get(property.tenantId)
  if (tenant === undefined) throw new TypeError('no such tenant')
  index.applyListing(
    {
      seq: index.seq + 1,
      document: { ...documentOfWorld(property, tenant), guestRating: { value: rating, count: 50 } },
      isPublished,
      cheapest: cheapestInWorld(property),
      version: 2,
      ratesRevision: index.seq + 1,
    },
    rescaled(rateCardOf(world, property, index.seq + 1), priceFactor),
  )
}

function rescaled(card: RateCard, factor: number): RateCard {
  const percent = BigInt(Math.round(factor * 100))
  const plans = card.plans.map((plan) => ({
    ...plan,
    nightly: new Map([...plan.nightly].map(([room, micro]) => [room, (micro * percent) / 100n])),
  }))
  return { ...card, plans }
}

type Between = (page: number) => 'drop-sequence' | undefined | void

function readAll(index: ListingIndex, searchRequest: SearchRequest, between: Between = () => {}) {
  const ids: PropertyId[] = []
  let cursor: string | undefined
  for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
    const response = runQuery(index, { ...searchRequest, ...(cursor && { cursor }) }, now)
    ids.push(...response.items.map(({ propertyId }) => propertyId))
    cursor = response.nextCursor
    const dropsSequence = between(page) === 'drop-sequence'
    if (dropsSequence && cursor !== undefined) cursor = dropSequence(cursor, searchRequest)
  }
  return ids
}

/** The same position without the sequence number of the first page. */
function dropSequence(cursor: string, searchRequest: SearchRequest): string {
  const query = describeQuery(searchRequest, searchRequest.sortKey)
  return writeCursor({ ...readCursor(cursor, query), seq: Number.MAX_SAFE_INTEGER }, query)
}
