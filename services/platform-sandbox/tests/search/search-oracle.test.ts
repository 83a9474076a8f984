import { addDays, CURRENCY_CODES, type IsoDate, type PropertyId } from '@melmastoon/domain'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listFacets } from '../../src/modules/search/list-facets.ts'
import { runQuery, type SearchRequest } from '../../src/modules/search/run-query.ts'
import { AMENITIES } from '../../src/world/amenities.ts'
import { CITIES } from '../../src/world/cities.ts'
import { bruteForce, sortedIds } from './brute-force.ts'
import { expectedPrices, shownIn } from './expected-prices.ts'
import { loadWorld } from './load-world.ts'
import { day, requestOf, worldOf } from './start-search.ts'

const world = worldOf(900)
const index = loadWorld(world)
const now = new Date()
const expectedOf = bruteForce(world, now)
const priceOf = expectedPrices(world, now)
const properties = new Map(world.properties.map((each) => [each.propertyId, each]))

const bookableIn = (searchRequest: SearchRequest) => (propertyId: PropertyId) => {
  const property = properties.get(propertyId)
  return property !== undefined && priceOf(property, searchRequest) !== null
}

const coordinate = (limit: number) => fc.integer({ min: -limit * 100, max: limit * 100 })
const lat = coordinate(90).map((value) => value / 100)
const lng = coordinate(180).map((value) => value / 100)
const somewhere = fc.oneof(
  fc.constantFrom(...CITIES).map((city) => ({ lat: city.lat, lng: city.lng })),
  fc.record({ lat, lng }),
)
const circle = fc.record({
  mode: fc.constant('point' as const),
  point: fc
    .tuple(somewhere, fc.double({ min: 0.5, max: 500, noNaN: true }))
    .map(([point, radiusKm]) => ({ ...point, radiusKm })),
})
const box = fc.tuple(lat, lat, lng, lng).map(([a, b, swLng, neLng]) => ({
  mode: 'bounding-box' as const,
  boundingBox: { swLat: Math.min(a, b), swLng, neLat: Math.max(a, b), neLng },
}))
const geo: fc.Arbitrary<SearchRequest['geo']> = fc.oneof(
  circle,
  box,
  fc.constant(requestOf().geo),
  fc.constantFrom(...CITIES).map(({ key }) => ({ mode: 'city' as const, city: key })),
  fc.constantFrom(...CITIES).map(({ region }) => ({ mode: 'region' as const, region: region.key })),
)
const priceRange = fc
  .tuple(
    fc.nat({ max: 200 }),
    fc.nat({ max: 200 }),
    fc.constantFrom(...CURRENCY_CODES),
    fc.constantFrom('night' as const, 'stay' as const, undefined),
  )
  .map(([a, b, currency, per]) => {
    const scale = { AFN: 70, IRR: 600_000, PKR: 280, AED: 4, USD: 1, EUR: 1, GBP: 1 }[currency]
    const micro = (value: number) => String(BigInt(value * scale) * 1_000_000n)
    const bounds = { minMicro: micro(Math.min(a, b)), maxMicro: micro(Math.max(a, b)) }
    return { ...bounds, currency, ...(per && { per }) }
  })
const words = world.properties
  .slice(0, 60)
  .flatMap(({ name }) => [name.default, ...Object.values(name.localized)])
  .flatMap((name) => name.split(' '))
const filters: fc.Arbitrary<SearchRequest['filters']> = fc.record(
  {
    text: fc
      .array(fc.constantFrom(...words, 'Kabul', 'هرات', 'hotel'), { minLength: 1, maxLength: 2 })
      .map((some) => some.join(' ').slice(0, 120)),
    priceRange,
    amenities: fc.subarray(
      AMENITIES.map(({ code }) => code as string),
      { maxLength: 3 },
    ),
    starRating: fc.subarray([1, 2, 3, 4, 5]),
    guestRatingMin: fc.integer({ min: 0, max: 100 }).map((value) => value / 10),
    propertyType: fc.subarray(['hotel', 'guesthouse', 'hostel', 'apartment', 'palace']),
    cancellationFlexibility: fc.constantFrom('free', 'partial', 'any'),
    neighbourhoods: fc.subarray(['City Centre', 'Shahr-e Naw', 'Old City', 'Nowhere']),
    availableOnly: fc.boolean(),
  },
  { requiredKeys: [] },
)
const stay = fc
  .tuple(fc.integer({ min: 2, max: 150 }), fc.integer({ min: 1, max: 30 }))
  .map(([from, nights]) => ({ checkIn: day(from), checkOut: day(from + nights) }))
const occupancy = fc.record({
  adults: fc.integer({ min: 1, max: 12 }),
  children: fc.integer({ min: 0, max: 6 }),
  rooms: fc.integer({ min: 1, max: 4 }),
})
const request = fc.record({ geo, filters, stay, occupancy }).map((parts) => requestOf(parts))

describe('against a brute-force search', () => {
  it('finds exactly the matches, and counts them', () => {
    fc.assert(
      fc.property(request, (searchRequest) => {
        const expected = expectedOf(searchRequest).map(({ propertyId }) => propertyId)
        const found = readAll(searchRequest, 200)
        expect(found.toSorted()).toEqual(expected.toSorted())
        const { total, bookableTotal } = runQuery(index, searchRequest, now)
        expect(total).toBe(expected.length)
        const available = { ...searchRequest.filters, availableOnly: true }
        expect(expectedOf({ ...searchRequest, filters: available })).toHaveLength(
          bookableTotal ?? -1,
        )
      }),
      { numRuns: 400 },
    )
  })

  it('C17 finds hotels of exactly one price by a range of that price', () => {
    const some = fc.constantFrom(...world.properties)
    const currency = fc.constantFrom(...CURRENCY_CODES)
    const per = fc.constantFrom('night' as const, 'stay' as const)
    fc.assert(
      fc.property(some, stay, currency, per, (property, dates, shown, unit) => {
        const priced = requestOf({ stay: dates, currency: shown })
        const price = priceOf(property, priced)
        fc.pre(price !== null)
        const own = unit === 'stay' ? price.total : price.cheapestNight
        const micro = String(shownIn(shown, own, price.currency))
        const priceRange = { per: unit, minMicro: micro, maxMicro: micro, currency: shown }
        const searchRequest = { ...priced, filters: { priceRange } }
        const found = readAll(searchRequest, 200)
        expect(found).toContain(property.propertyId)
        const expected = expectedOf(searchRequest).map(({ propertyId }) => propertyId)
        expect(found.toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 15 },
    )
  })

  it('recommends hotels that can be booked before all others', () => {
    let mixed = 0
    fc.assert(
      fc.property(request, (searchRequest) => {
        const filters = { starRating: searchRequest.filters.starRating ?? [] }
        const recommended = { ...searchRequest, filters }
        const isBookable = readAll(recommended, 200).map(bookableIn(recommended))
        expect(isBookable).toEqual(isBookable.toSorted((a, b) => Number(b) - Number(a)))
        if (new Set(isBookable).size === 2) mixed += 1
      }),
      { numRuns: 60 },
    )
    expect(mixed).toBeGreaterThan(5)
  })

  it.each(SORT_KEYS.filter((key) => key !== 'recommended'))('sorts by %s', (sortKey) => {
    const sorted = fc.tuple(request, circle).map(([searchRequest, around]) => ({
      ...searchRequest,
      sortKey,
      filters: {},
      geo: sortKey === 'distance-asc' ? around : searchRequest.geo,
    }))
    fc.assert(
      fc.property(sorted, (searchRequest) => {
        expect(readAll(searchRequest, 200)).toEqual(
          sortedIds(expectedOf(searchRequest), searchRequest, priceOf),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('ranks by a score equal to the sum of its reasons', () => {
    fc.assert(
      fc.property(request, (searchRequest) => {
        const searched = { ...searchRequest, limit: 200 }
        const { items } = runQuery(index, searched, now)
        const isBookable = bookableIn(searched)
        for (const [at, { score, reasons, propertyId }] of items.entries()) {
          expect(reasons.reduce((sum, { weight }) => sum + weight, 0)).toBe(score)
          expect(reasons.map(({ weight }) => -weight)).toEqual(
            reasons.map(({ weight }) => -weight).toSorted((a, b) => a - b),
          )
          const next = items[at + 1]
          // Hotels that cannot be booked follow all others, whatever their score.
          if (next === undefined || isBookable(propertyId) !== isBookable(next.propertyId)) continue
          const isInOrder =
            score > next.score || (score === next.score && propertyId < next.propertyId)
          expect(isInOrder).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('C20 counts each facet as if its own filter were not set', () => {
    fc.assert(
      fc.property(request, (searchRequest) => {
        const { facets } = runQuery(index, { ...searchRequest, withFacets: true }, now)
        const without = (name: keyof SearchRequest['filters']) => {
          const { [name]: _own, ...filters } = searchRequest.filters
          return expectedOf({ ...searchRequest, filters })
        }
        expect(facets?.cities).toEqual(tally(expectedOf(searchRequest).map(({ city }) => city)))
        expect(facets?.amenities).toEqual(
          tally(without('amenities').flatMap(({ amenities }) => amenities)),
        )
        expect(facets?.propertyType).toEqual(
          tally(without('propertyType').map((each) => each.propertyType)),
        )
        expect(facets?.starRating).toEqual(
          tally(without('starRating').flatMap(({ starRating }) => starRating?.toString() ?? [])),
        )
      }),
      { numRuns: 60 },
    )
  })

  it('C20 a facet count is the total of the search with this value alone', () => {
    fc.assert(
      fc.property(request, fc.nat(), (searchRequest, seed) => {
        const { facets } = runQuery(index, { ...searchRequest, withFacets: true }, now)
        const pick = (counts: Record<string, number> = {}) => {
          const all = Object.entries(counts)
          return all[seed % Math.max(1, all.length)]
        }
        const totalWith = (filters: Partial<SearchRequest['filters']>) =>
          runQuery(
            index,
            { ...searchRequest, filters: { ...searchRequest.filters, ...filters } },
            now,
          ).total
        const type = pick(facets?.propertyType)
        const amenity = pick(facets?.amenities)
        const quarter = pick(facets?.neighbourhoods)
        const counted = [type, amenity, quarter].map((value) => value?.[1])
        const searched = [
          type && totalWith({ propertyType: [type[0]] }),
          amenity && totalWith({ amenities: [amenity[0]] }),
          quarter && totalWith({ neighbourhoods: [quarter[0]] }),
        ]
        expect(searched).toEqual(counted)
      }),
      { numRuns: 40 },
    )
  })

  it('C20 each bucket of prices and ratings has as many hotels as a search with its bounds', () => {
    fc.assert(
      fc.property(request, fc.nat(), (searchRequest, seed) => {
        const first = runQuery(index, { ...searchRequest, withFacets: true }, now)
        const { price, guestRating } = first.facetRanges ?? {}
        const { priceRange: _price, guestRatingMin: _rating, ...filters } = searchRequest.filters
        const bucket = price?.buckets[seed % price.buckets.length]
        const priceRange = bucket && {
          minMicro: bucket.from,
          maxMicro: String(BigInt(bucket.to) - 1n),
          currency: price?.currency ?? 'USD',
        }
        const rating = searchRequest.filters.guestRatingMin
        const inBucket = {
          ...filters,
          ...(rating && { guestRatingMin: rating }),
          ...(priceRange && { priceRange }),
        }
        const found = runQuery(index, { ...searchRequest, filters: inBucket }, now).total
        expect(priceRange && found).toBe(bucket?.count)
        const rated = guestRating?.buckets.reduce((sum, { count }) => sum + count, 0)
        const range = searchRequest.filters.priceRange
        const others = { ...filters, ...(range && { priceRange: range }) }
        const total = runQuery(
          index,
          { ...searchRequest, filters: { ...others, guestRatingMin: 0.1 } },
          now,
        ).total
        expect(rated ?? 0).toBe(total)
      }),
      { numRuns: 40 },
    )
  })

  it('counts facets over everything', () => {
    const { facets, total } = listFacets(index)
    expect(total).toBe(world.properties.length)
    expect(facets.propertyType).toEqual(tally(world.properties.map((each) => each.propertyType)))
  })
})

describe('tonight', () => {
  it('today ends in Kabul at 19:30 UTC, not in London', () => {
    const evening = new Date(`${day(0)}T19:30:00Z`)
    const totalIn = (city: string, checkIn: IsoDate) => {
      const dates = { checkIn, checkOut: addDays(checkIn, 1) }
      const searchRequest = requestOf({ geo: { mode: 'city', city }, stay: dates })
      return runQuery(index, searchRequest, evening).total
    }
    expect(totalIn('kabul', day(0))).toBe(0)
    expect(totalIn('kabul', day(1))).toBeGreaterThan(0)
    expect(totalIn('london', day(0))).toBeGreaterThan(0)
  })
})

describe('pages', () => {
  it.each(SORT_KEYS)('together are the whole list, by %s', (sortKey) => {
    const geo = CITIES.map(({ lat, lng }) => ({ lat, lng, radiusKm: 500 }))[0]
    if (geo === undefined) throw new TypeError('no city')
    const searchRequest = requestOf({ sortKey, geo: { mode: 'point', point: geo } })
    const whole = readAll(searchRequest, 200)
    expect(whole.length).toBeGreaterThan(50)
    for (const limit of [1, 7, 50]) expect(readAll(searchRequest, limit)).toEqual(whole)
  })
})

function readAll(searchRequest: SearchRequest, limit: number): PropertyId[] {
  const ids: PropertyId[] = []
  let cursor: string | undefined
  do {
    const page = runQuery(index, { ...searchRequest, limit, ...(cursor && { cursor }) }, now)
    ids.push(...page.items.map(({ propertyId }) => propertyId))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return ids
}

function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
