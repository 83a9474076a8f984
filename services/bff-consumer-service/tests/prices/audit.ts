import { eventually } from '@melmastoon/testkit'
import { expect } from 'vitest'
import type { HotelOffersVM } from '../../src/offers/hotel-offers.ts'
import type { RateSnapshotVM } from '../../src/rates/rate-snapshot.ts'
import type { SearchPage } from '../../src/search/search-schema.ts'
import { mint } from '../harness/handoff-client.ts'
import { getPath } from '../harness/hotel-client.ts'
import { get, post, type TestResponse } from '../harness/start-consumer.ts'
import { expectPins } from './expect-pins.ts'
import { type Platform, type SeenOffer, totalOf } from './platform.ts'
import { type Choices, type RandomSearch, randomRange, randomSearch } from './random-search.ts'

type Card = SearchPage['items'][number]

export interface Audit {
  readonly url: string
  /** Of a guest session. */
  readonly cookie: string
  readonly platform: Platform
  readonly choose: Choices
  readonly cities: readonly string[]
  /** How many cards of a page are quoted. */
  readonly quotesPerSearch: number
}

/** What was checked, so that a test can require that there was something to check. */
export interface AuditCounts {
  quotes: number
  ranges: number
  orders: number
  facets: number
  suggestions: number
  handoffs: number
  offers: number
  unbookable: number
  days: number
  pins: number
  unbookablePins: number
}

export const noCounts = (): AuditCounts => ({
  quotes: 0,
  ranges: 0,
  orders: 0,
  facets: 0,
  suggestions: 0,
  handoffs: 0,
  offers: 0,
  unbookable: 0,
  days: 0,
  pins: 0,
  unbookablePins: 0,
})

/** An upstream may be late on a busy machine: the response is read again until it is complete. */
function complete(read: () => Promise<TestResponse>): Promise<TestResponse> {
  return eventually(async () => {
    const response = await read()
    if (response.body['degraded'] !== false) throw new Error(response.text.slice(0, 500))
    return response
  })
}

export async function searchFor(url: string, json: object): Promise<SearchPage> {
  const { text } = await complete(() => post(url, '/search', { json }))
  return JSON.parse(text) as SearchPage
}

/** One random search, and all that its prices promise. */
export async function auditSearch(audit: Audit, counts: AuditCounts): Promise<SeenOffer[]> {
  const { url, choose } = audit
  const asked = randomSearch(choose, audit.cities)
  const page = await searchFor(url, asked)
  expectTerms(asked, page)
  const pins = await expectPins(url, asked, page.items)
  counts.pins += pins.bookable
  counts.unbookablePins += pins.unbookable
  await expectQuotes(audit, asked, { page, counts })
  await expectRange(audit, asked, { page, counts })
  await expectFacets(audit, asked, { page, counts })
  await expectSuggestions(audit, asked, counts)
  expectOrder(asked, page, counts)
  const [card] = choose.some(page.items, 1)
  if (card === undefined) return []
  await expectDays(audit, asked, { card, counts })
  await expectPreview(audit, asked, { card, counts })
  const offers = await readOffers(audit, asked, card)
  await expectHandoff(audit, asked, { card, counts })
  return offers
}

interface Seen {
  readonly page: SearchPage
  readonly counts: AuditCounts
}

const pricedOf = ({ items }: SearchPage) =>
  items.flatMap((card) => (card.rateSnapshot ? [{ card, rate: card.rateSnapshot }] : []))

/** A card has a price or a reason, and cancellation terms as requested. */
function expectTerms({ filters }: RandomSearch, { items }: SearchPage): void {
  for (const { availability, rateSnapshot } of items) {
    expect(availability?.bookable).toBe(rateSnapshot !== undefined)
    expect(availability?.reason === undefined).toBe(availability?.bookable)
    const { kind, freeUntil } = rateSnapshot?.offer.cancellation ?? {}
    expect(freeUntil !== undefined).toBe(kind === 'free')
    const { cancellationFlexibility: wanted } = filters
    if (wanted === undefined) continue
    expect(wanted === 'free' ? ['free'] : ['free', 'partial']).toContain(kind)
  }
}

type Named = Pick<RateSnapshotVM['offer'], 'roomTypeId' | 'ratePlanCode'>

function seen(card: Card, search: RandomSearch, offer: Named, isBookable = true): SeenOffer {
  const { propertyId, tenantId } = card
  const { roomTypeId, ratePlanCode } = offer
  return { propertyId, tenantId, roomTypeId, ratePlanCode, search, isBookable }
}

/** Each price is that of a quote for the same stay, room and plan, to the minor unit. */
async function expectQuotes(audit: Audit, asked: RandomSearch, { page, counts }: Seen) {
  for (const { card, rate } of audit.choose.some(pricedOf(page), audit.quotesPerSearch)) {
    const quote = await audit.platform.quote(seen(card, asked, rate.offer))
    if (typeof quote === 'string') throw new Error(`no quote for a price: ${quote}`)
    const { amountMinor, currency } = totalOf(quote)
    expect([rate.totalForStayMinor, rate.currency]).toEqual([amountMinor, currency])
    const { ratePlanId, digest, board, cancellation } = rate.offer
    const { freeUntil, kind, ...terms } = cancellation
    const { kind: planned, ...quoted } = quote.cancellation
    const kindAfter = quoted.penaltyBasisPoints < 10_000 ? 'partial' : 'none'
    expect(kind).toBe(planned !== 'none' && freeUntil !== undefined ? 'free' : kindAfter)
    expect({ ratePlanId, digest, board, terms }).toEqual({
      ratePlanId: quote.ratePlanId,
      digest: quote.digest,
      board: quote.board,
      terms: quoted,
    })
    counts.quotes += 1
  }
}

/** Exactly the cards whose price is inside the range are found. */
async function expectRange({ url, choose }: Audit, asked: RandomSearch, { page, counts }: Seen) {
  const rates = pricedOf(page)
  if (rates.length < 2 || page.total > page.items.length) return
  const priceRange = randomRange(
    choose,
    asked,
    rates.map(({ rate }) => rate),
  )
  const { per, min, max } = priceRange
  const member = per === 'night' ? 'cheapestNightlyMinor' : 'totalForStayMinor'
  const inside = rates.filter(({ rate }) => rate[member] >= min && rate[member] <= max)
  const found = await searchFor(url, { ...asked, filters: { ...asked.filters, priceRange } })
  expect(idsOf(found.items)).toEqual(idsOf(inside.map(({ card }) => card)))
  expect(found.total).toBe(inside.length)
  counts.ranges += 1
}

const idsOf = (cards: readonly Card[]) => cards.map(({ propertyId }) => propertyId).toSorted()

/** Ascending or descending by the shown total; cards without a price are last. */
function expectOrder({ sortKey }: RandomSearch, { items }: SearchPage, counts: AuditCounts): void {
  if (sortKey !== 'price-asc' && sortKey !== 'price-desc') return
  const totals = items.map(({ rateSnapshot }) => rateSnapshot?.totalForStayMinor)
  const priced = totals.filter((total) => total !== undefined)
  const sorted = priced.toSorted((a, b) => (sortKey === 'price-asc' ? a - b : b - a))
  expect(totals).toEqual([...sorted, ...totals.slice(priced.length).map(() => undefined)])
  counts.orders += 1
}

/** The number on a facet is the number of hotels that the search with it finds. */
async function expectFacets({ url, choose }: Audit, asked: RandomSearch, { page, counts }: Seen) {
  const { starRating = {}, propertyType = {} } = page.facets ?? {}
  const stars = Object.entries(starRating).map(
    ([value, count]) => ({ starRating: [Number(value)], count }) as const,
  )
  const types = Object.entries(propertyType).map(
    ([value, count]) => ({ propertyType: [value], count }) as const,
  )
  for (const { count, ...filter } of choose.some([...stars, ...types], 1)) {
    if ('starRating' in filter && asked.filters['starRating'] !== undefined) continue
    const found = await searchFor(url, { ...asked, filters: { ...asked.filters, ...filter } })
    expect([filter, found.total]).toEqual([filter, count])
    counts.facets += 1
  }
}

interface Suggested {
  readonly count: number
  readonly geoQuery?: object
  readonly filters?: object
}

/** The number on a suggestion is the number of hotels that the search it leads to finds. */
async function expectSuggestions({ url, choose }: Audit, asked: RandomSearch, counts: AuditCounts) {
  const { dates } = asked
  // Which hotels have enough rooms does not depend on the ages of children.
  const { childrenAges: _ages, ...occupancy } = asked.occupancy
  const q = asked.geo.city.slice(0, 4)
  const query = { locale: 'en', q, ...dates, ...partyQuery(occupancy) }
  const { body } = await getPath(url, '/suggest', { query })
  const places = (body['suggestions'] as Suggested[]).filter(({ geoQuery }) => geoQuery)
  for (const { geoQuery: geo, filters, count } of choose.some(places, 1)) {
    const found = await searchFor(url, { geo, dates, occupancy, ...(filters && { filters }) })
    expect([geo, found.total]).toEqual([geo, count])
    counts.suggestions += 1
  }
}

interface SeenCard {
  readonly card: Card
  readonly counts: AuditCounts
}

/**
 * A booking link exists for exactly the stays that are shown as bookable, for the shown offer. The
 * prices are cached here, so the link is not minted unchecked because an upstream is late.
 */
async function expectHandoff(
  { url, cookie }: Audit,
  asked: RandomSearch,
  { card, counts }: SeenCard,
) {
  const { tenantId, propertyId, availability, rateSnapshot } = card
  const { dates, occupancy, currency } = asked
  const { roomTypeId, ratePlanId } = rateSnapshot?.offer ?? {}
  const json = { dates, occupancy, currency, ...(roomTypeId && { roomTypeId, ratePlanId }) }
  const response = await mint(url, cookie, { tenantId, propertyId }, { json })
  expect(response.status).toBe(availability?.bookable ? 201 : 409)
  const { digest } = (response.body['offer'] ?? {}) as { digest?: string }
  expect(digest).toBe(rateSnapshot?.offer.digest)
  counts.handoffs += 1
}

const stayQuery = ({ dates, occupancy, currency }: RandomSearch) => ({
  locale: 'en',
  currency,
  ...dates,
  ...partyQuery(occupancy),
})

function partyQuery({ adults, children, rooms, childrenAges = [] }: RandomSearch['occupancy']) {
  return {
    adults: String(adults),
    children: String(children),
    rooms: String(rooms),
    ...(childrenAges.length > 0 && { childrenAges: childrenAges.map(String) }),
  }
}

/** The offers of the hotel, the cheapest of which every other route shows. */
async function readOffers({ url }: Audit, asked: RandomSearch, card: Card): Promise<SeenOffer[]> {
  const path = `/hotels/${card.propertyId}/offers`
  const query = stayQuery(asked)
  const { text } = await complete(() => getPath(url, path, { query }))
  const { rooms, availability } = JSON.parse(text) as HotelOffersVM
  const price = await readPrice(url, card, query)
  expect(price.body['availability']).toEqual(availability)
  const totals = rooms.flatMap((room) => room.offers.flatMap((offer) => offer.price ?? []))
  const cheapest = Math.min(...totals.map(({ totalForStayMinor }) => totalForStayMinor))
  const shown = price.body['cheapestRateSnapshot'] as RateSnapshotVM | undefined
  expect(shown?.totalForStayMinor ?? Number.POSITIVE_INFINITY).toBe(cheapest)
  for (const { lines, totalForStayMinor } of totals) {
    const added = lines.filter(({ included }) => !included)
    expect(added.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(totalForStayMinor)
  }
  return rooms.flatMap((room) =>
    room.offers.map((offer) => seen(card, asked, offer, offer.availability.bookable)),
  )
}

function readPrice(url: string, { propertyId }: Card, query: Record<string, string | string[]>) {
  return complete(() => getPath(url, `/hotels/${propertyId}/price`, { query }))
}

/** Each day of the calendar has the price that the price route has for the same stay. */
async function expectDays({ url, choose }: Audit, asked: RandomSearch, { card, counts }: SeenCard) {
  const { occupancy, currency, dates } = asked
  const query = { locale: 'en', currency, from: dates.checkIn, ...partyQuery(occupancy) }
  const path = `/hotels/${card.propertyId}/calendar`
  const { body } = await complete(() => getPath(url, path, { query }))
  const days = body['days'] as { date: string; cheapest?: Stayed }[]
  expect(days).toHaveLength(60)
  for (const { date, cheapest } of choose.some(days, 1)) {
    const stay = { checkIn: date, checkOut: daysAfter(date, cheapest?.nights ?? 1) }
    const priced = await readPrice(url, card, { ...stayQuery(asked), ...stay })
    const shown = priced.body['cheapestRateSnapshot'] as RateSnapshotVM | undefined
    expect(shown?.totalForStayMinor).toBe(cheapest?.totalForStayMinor)
    counts.days += 1
  }
}

/** The seven days of a hotel page have a price where one adult can book one night. */
async function expectPreview(
  { url, choose }: Audit,
  asked: RandomSearch,
  { card, counts }: SeenCard,
) {
  const { dates, currency } = asked
  const query = { locale: 'en', currency, adults: '1' }
  const page = await readPrice(url, card, { ...query, ...dates })
  const listed = (page.body['priceCalendarPreview'] as { date: string }[]).map(({ date }) => date)
  const night = choose.below(7)
  const checkIn = daysAfter(dates.checkIn, night)
  const one = await readPrice(url, card, { ...query, checkIn, checkOut: daysAfter(checkIn, 1) })
  const isBookable = (one.body['availability'] as { bookable: boolean }).bookable
  expect([checkIn, listed.includes(checkIn)]).toEqual([checkIn, isBookable])
  counts.days += 1
}

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

interface Stayed {
  readonly nights: number
  readonly totalForStayMinor: number
}

/** An offer shown as bookable can be quoted and held, and every other cannot. */
export async function expectHolds(
  { platform }: Pick<Audit, 'platform'>,
  offers: readonly SeenOffer[],
  counts: AuditCounts,
): Promise<void> {
  for (const offer of offers) {
    const quote = await platform.quote(offer)
    const canBook = typeof quote !== 'string' && (await platform.canHold(offer))
    expect([offer, canBook]).toEqual([offer, offer.isBookable])
    if (offer.isBookable) counts.offers += 1
    else counts.unbookable += 1
  }
}

/** The cities of the demo world with at least three hotels. */
export async function findCities(url: string): Promise<string[]> {
  const { body } = await get(url, '/facets?locale=en&currency=AFN')
  const cities = body['cities'] as { value: string; count: number }[]
  return cities.filter(({ count }) => count >= 3).map(({ value }) => value)
}
