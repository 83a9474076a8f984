import { addDays } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawMap } from '../../src/modules/search/draw-map.ts'
import type { ListingIndex } from '../../src/modules/search/index/listing-index.ts'
import { runQuery, type SearchRequest } from '../../src/modules/search/run-query.ts'
import { suggestNames } from '../../src/modules/search/suggest-names.ts'
import { loadWorld } from './load-world.ts'
import { requestOf, worldOf } from './search-stage.ts'

const ROUNDS = 20
/**
 * Twenty times what the dearest of them takes on a busy machine, and of the CPU, not of the clock:
 * it catches a search that looks at every pair of hotels, or compiles something for each of them.
 */
const CPU_MS_MAX = 50

describe('what a search costs over the whole world', () => {
  const index: ListingIndex = loadWorld(worldOf(3_600))
  const now = new Date()
  const report: string[] = []
  beforeAll(() => {
    report.push(`${index.endRow - index.firstRow} listings, ${ROUNDS} rounds, ms of CPU each`)
  })
  afterAll(() => {
    process.stdout.write(`${report.join('\n')}\n`)
  })

  const kabul = { lat: 34.5281, lng: 69.1723 }
  const everything: SearchRequest['filters'] = {
    text: 'hotel',
    priceRange: { minMicro: '10000000', maxMicro: '200000000', currency: 'USD' },
    amenities: ['wifi', 'breakfast'],
    starRating: [2, 3, 4, 5],
    guestRatingMin: 6,
    propertyType: ['hotel', 'guesthouse'],
    cancellationFlexibility: 'partial',
    neighbourhoods: ['City Centre', 'Shahr-e Naw', 'Old City'],
  }

  it.each<[string, Partial<SearchRequest>]>([
    ['city', { geo: { mode: 'city', city: 'کابل' } }],
    ['whole world in a box', {}],
    ['whole world, 200 a page', { limit: 200 }],
    ['whole world with facets', { withFacets: true }],
    ['500 km around a point', { geo: { mode: 'point', point: { ...kabul, radiusKm: 500 } } }],
    ['text', { filters: { text: 'hotel kab' } }],
    ['text of one letter', { filters: { text: 'h' } }],
    ['all filters', { filters: everything }],
    ['a stay of 30 nights', { stay: { checkIn: requestOf().stay.checkIn, checkOut: laterBy(30) } }],
    ['price-asc', { sortKey: 'price-asc' }],
    ['price-desc', { sortKey: 'price-desc' }],
    ['rating-desc', { sortKey: 'rating-desc' }],
    ['distance-asc', { sortKey: 'distance-asc' }],
  ])('%s', (name, changes) => {
    const request = requestOf(changes)
    const { total } = runQuery(index, request, now)
    expect(total).toBeGreaterThan(0)
    report.push(measure(`${name} (${total})`, () => runQuery(index, request, now)))
  })

  it('a page far behind', () => {
    let request = requestOf({ limit: 200 })
    for (let page = 0; page < 12; page += 1) {
      const { nextCursor } = runQuery(index, request, now)
      if (nextCursor === undefined) break
      request = { ...request, cursor: nextCursor }
    }
    expect(request.cursor).toBeDefined()
    const last = { ...request, limit: 20 }
    report.push(measure('a page far behind', () => runQuery(index, last, now)))
  })

  it('map of 250 pins', () => {
    const { sortKey: _, ...criteria } = requestOf()
    const request = { ...criteria, limit: 250 }
    expect(drawMap(index, request, now).pins).toHaveLength(250)
    report.push(measure('map of 250 pins', () => drawMap(index, request, now)))
  })

  it('suggestions for one letter', () => {
    expect(suggestNames(index, 'k')).not.toHaveLength(0)
    report.push(measure('suggestions for one letter', () => suggestNames(index, 'k')))
  })
})

function laterBy(nights: number) {
  const { checkIn } = requestOf().stay
  return addDays(checkIn, nights)
}

function measure(name: string, work: () => unknown): string {
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round += 1) work()
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1_000 / ROUNDS
  expect(cpuMs).toBeLessThan(CPU_MS_MAX)
  return `  ${cpuMs.toFixed(3)}  ${name}`
}
