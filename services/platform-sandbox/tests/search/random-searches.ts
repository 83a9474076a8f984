import { CURRENCY_CODES } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { SORT_KEYS, searchContract } from '@melmastoon/upstream-contracts/search'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { SearchRequest } from '../../src/modules/search/run-query.ts'
import type { World } from '../../src/world/world.ts'
import { clientFor } from '../start-sandbox.ts'
import { bookerAt } from './book-offer.ts'
import { day, requestOf } from './start-search.ts'

/** The maximum of one preview, and of one page of a traveller. */
const PAGE = 50
const SCALES = { AFN: 70, IRR: 600_000, PKR: 280, AED: 4, USD: 1, EUR: 1, GBP: 1 }

type Preview = OutputOf<typeof pricingContract.operations.preview>['previews'][number]

const priceRange = fc
  .record({
    bounds: fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 400 })),
    per: fc.constantFrom('night' as const, 'stay' as const, undefined),
  })
  .map(({ bounds: [a, b], per }) => ({ low: Math.min(a, b), high: Math.max(a, b), per }))

function randomSearch({ properties }: World): fc.Arbitrary<SearchRequest> {
  const cities = [...new Set(properties.map(({ city }) => city))]
  const regions = [...new Set(properties.map(({ region }) => region))]
  const geo: fc.Arbitrary<SearchRequest['geo']> = fc.oneof(
    fc.constant(requestOf().geo),
    fc.constantFrom(...cities).map((city) => ({ mode: 'city' as const, city })),
    fc.constantFrom(...regions).map((region) => ({ mode: 'region' as const, region })),
    fc.constantFrom(...properties).map(({ lat, lng }) => {
      return { mode: 'point' as const, point: { lat, lng, radiusKm: 300 } }
    }),
  )
  return fc
    .record({
      geo,
      from: fc.integer({ min: 1, max: 90 }),
      nights: fc.integer({ min: 1, max: 10 }),
      adults: fc.integer({ min: 1, max: 5 }),
      childrenAges: fc.array(fc.nat({ max: 17 }), { maxLength: 2 }),
      rooms: fc.integer({ min: 1, max: 2 }),
      currency: fc.constantFrom(...CURRENCY_CODES),
      sortKey: fc.constantFrom(...SORT_KEYS.filter((key) => key !== 'distance-asc')),
      range: fc.option(priceRange, { nil: undefined }),
      terms: fc.constantFrom('free' as const, 'partial' as const, 'any' as const, undefined),
    })
    .map(({ from, nights, adults, childrenAges, rooms, currency, range, terms, ...rest }) => {
      const micro = (value: number) => String(BigInt(value * SCALES[currency]) * 1_000_000n)
      return requestOf({
        ...rest,
        currency,
        limit: PAGE,
        stay: { checkIn: day(from), checkOut: day(from + nights) },
        occupancy: { adults, children: childrenAges.length, rooms, childrenAges },
        filters: {
          ...(terms && { cancellationFlexibility: terms }),
          ...(range && {
            priceRange: {
              minMicro: micro(range.low),
              maxMicro: micro(range.high),
              currency,
              ...(range.per && { per: range.per }),
            },
          }),
        },
      })
    })
}

interface CheckedSearches {
  /** Cards with a price, and without. */
  readonly priced: number
  readonly unpriced: number
  readonly held: number
}

/**
 * Each card is inside the price filter and has the requested terms, and the order of prices is that
 * of the totals shown. Afterwards some of the offers are held, because that changes later searches.
 */
export async function checkSearches(
  url: string,
  world: World,
  { searches, holds }: { readonly searches: number; readonly holds: number },
): Promise<CheckedSearches> {
  const search = clientFor(searchContract, url)
  const pricing = clientFor(pricingContract, url)
  const shown: { request: SearchRequest; preview: Preview }[] = []
  let unpriced = 0
  for (const request of fc.sample(randomSearch(world), { numRuns: searches })) {
    const { items } = await search.query({ body: request })
    const propertyIds = items.map(({ propertyId }) => propertyId)
    if (propertyIds.length === 0) continue
    const { stay, occupancy, currency, filters } = request
    const { cancellationFlexibility } = filters
    const { previews } = await pricing.preview({
      body: {
        propertyIds,
        stay,
        occupancy,
        currency,
        ...(cancellationFlexibility && { cancellationFlexibility }),
      },
    })
    checkPage(request, previews)
    const priced = previews.filter(({ offer }) => offer !== undefined)
    unpriced += previews.length - priced.length
    shown.push(...priced.map((preview) => ({ request, preview })))
  }
  const held = await holdSome(url, shown, holds)
  return { priced: shown.length, unpriced, held }
}

function checkPage({ filters, sortKey, currency }: SearchRequest, previews: readonly Preview[]) {
  const { priceRange: range, cancellationFlexibility: terms = 'any' } = filters
  const totals = previews.map(({ totalForStay }) => totalForStay && amountOf(totalForStay))
  const priced = totals.filter((total) => total !== undefined)
  expect(priced).toHaveLength(range || terms !== 'any' ? totals.length : priced.length)
  for (const { cheapestNightly, totalForStay, offer } of previews) {
    const amount = range?.per === 'stay' ? totalForStay : cheapestNightly
    if (amount === undefined || offer === undefined) continue
    const micro = amountOf(amount)
    expect(amount.currency).toBe(currency)
    expect(micro >= BigInt(range?.minMicro ?? 0)).toBe(true)
    expect(micro <= BigInt(range?.maxMicro ?? micro)).toBe(true)
    const { kind, freeUntil } = offer.cancellation
    expect([terms, 'free', 'any'].includes(kind) || terms === 'any').toBe(true)
    expect(freeUntil !== undefined).toBe(kind === 'free')
  }
  if (!sortKey.startsWith('price')) return
  const sign = sortKey === 'price-asc' ? 1n : -1n
  expect(totals.slice(0, priced.length)).toEqual(priced.toSorted((a, b) => Number(sign * (a - b))))
}

async function holdSome(
  url: string,
  shown: readonly { request: SearchRequest; preview: Preview }[],
  holds: number,
): Promise<number> {
  const booker = bookerAt(url)
  const listings = clientFor(searchContract, url)
  const step = Math.max(1, Math.floor(shown.length / holds))
  let held = 0
  for (const { request, preview } of shown.filter((_, at) => at % step === 0)) {
    const { propertyId, offer } = preview
    const { listing } = await listings.hotel({ params: { propertyId } })
    if (offer === undefined) continue
    await booker.expectBookable({ tenantId: listing.tenantId, propertyId }, request, offer)
    held += 1
  }
  return held
}

function amountOf({ amountMicro }: { readonly amountMicro: string }): bigint {
  return BigInt(amountMicro)
}
