import type { Section } from '@melmastoon/bff/sections'
import type { Occupancy } from '@melmastoon/bff/stays'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, LoadResult } from '@melmastoon/chassis/cache'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import { type CurrencyCode, type PropertyId, problem, type StayDates } from '@melmastoon/domain'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hotelAddress } from '../listings/listing-cache.ts'
import type { StayPrice } from '../rates/rate-snapshot.ts'
import { RATE_FRESH_MS, type RateDeps, type Rates, readRates } from '../rates/read-rates.ts'
import { type HotelCaches, PRICE_FRESH_MS } from './hotel-caches.ts'
import type { HotelPriceVM } from './hotel-detail.ts'
import { chooseStay, type HotelRequest } from './hotel-query.ts'
import { type Calendar, readCalendar } from './read-calendar.ts'
import type { HotelSources } from './read-sources.ts'

export type HotelPriceDeps = RateDeps &
  Pick<HotelCaches, 'hotelPrices'> & { readonly reportSection: ReportSection }

export interface PriceRequest {
  readonly propertyId: PropertyId
  /** Priced in the same call; undefined while the search service has not named them. */
  readonly similar: readonly PropertyId[] | undefined
  readonly stay: StayDates
  readonly occupancy: Occupancy
  readonly currency: CurrencyCode
}

/** What to price, as soon as the date at the hotel and similar hotels are known. */
export function planPrices(
  { propertyId, stay, occupancy, currency }: HotelRequest,
  { timeZone, signals, similar }: HotelSources,
  now: Date,
): PriceRequest {
  return {
    propertyId,
    similar: signals && similar.map((hotel) => hotel.propertyId),
    stay: chooseStay(stay, timeZone, now),
    occupancy,
    currency,
  }
}

export function peekHotelPrices(
  { hotelPrices }: Pick<HotelPriceDeps, 'hotelPrices'>,
  request: Omit<PriceRequest, 'similar'>,
): CachedBytes | undefined {
  return hotelPrices.peek(dimsOf(request), hotelAddress(request.propertyId).tags)
}

/** The price of the hotel itself, if this process has it in memory and it is fresh. */
export function peekOwnPrice(
  deps: Pick<HotelPriceDeps, 'hotelPrices' | 'clock'>,
  request: Omit<PriceRequest, 'similar'>,
): StayPrice | undefined {
  const entry = peekHotelPrices(deps, request)
  if (entry === undefined) return undefined
  if (deps.clock.nowMs() >= priceFactsOf(entry).staleFromMs) return undefined
  return (JSON.parse(entry.body.toString()) as PricesInAllLanguages).price
}

/** @throws Problem when no prices are cached and the pricing service cannot be called. */
export function readHotelPrices(
  deps: HotelPriceDeps,
  request: PriceRequest,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  return deps.hotelPrices.get({
    dims: dimsOf(request),
    tags: hotelAddress(request.propertyId).tags,
    deadline,
    load: (_signal, loadDeadline) => loadPrices(deps, request, { deadline: loadDeadline, trace }),
  })
}

/**
 * The stay is resolved to days, so tomorrow's default stay has another key than today's. Similar
 * hotels are not part of the key: processes that know different ones (a suspension, a late response
 * of the search service) must still share one call to pricing.
 */
function dimsOf({ propertyId, stay, occupancy, currency }: Omit<PriceRequest, 'similar'>) {
  return {
    propertyId,
    stay: `${stay.checkIn} ${stay.checkOut}`,
    occupancy: JSON.stringify(occupancy),
    currency,
  }
}

/** Incomplete prices are requested again soon. */
const INCOMPLETE_FRESH_MS = 2_000
/** Up to this lag a price counts as captured when it was requested. */
const CAPTURE_LAG_MAX_MS = 5_000

/** The prices of the hotel; those of similar hotels are facts of the entry. */
async function loadPrices(
  deps: HotelPriceDeps,
  request: PriceRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const { propertyId, similar, stay, occupancy, currency } = request
  const priced = { query: { dates: stay, occupancy }, currency }
  const { rates, calendar } = await settleSections(
    {
      rates: readRates(deps, priced, { ...call, propertyIds: [propertyId, ...(similar ?? [])] }),
      calendar: readCalendar(deps, { propertyId, from: stay.checkIn, currency }, call),
    },
    deps.reportSection,
  )
  if (rates.value === undefined && calendar.value === undefined) {
    throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
  }
  const facts = factsOfPrices(rates.value, calendar.value)
  const ageMs = Math.max(0, deps.clock.nowMs() - facts.capturedAtMs)
  const isComplete = facts.isComplete && similar !== undefined
  const freshForMs = isComplete ? PRICE_FRESH_MS - ageMs : INCOMPLETE_FRESH_MS
  const isShort = !isComplete || ageMs > CAPTURE_LAG_MAX_MS
  return {
    body: JSON.stringify(
      joinPrices(request, { rates: rates.value, calendar: calendar.value, ageMs }),
    ),
    facts,
    ...(isShort && { freshForMs: Math.max(INCOMPLETE_FRESH_MS, freshForMs) }),
  }
}

interface LoadedPrices {
  readonly rates: Rates | undefined
  readonly calendar: Calendar | undefined
  readonly ageMs: number
}

/** The price document in all languages: `writePrice` makes it one in one language. */
export type PricesInAllLanguages = Omit<HotelPriceVM, 'availability' | 'cheapestRateSnapshot'> & {
  readonly price?: StayPrice
}

function joinPrices(
  request: PriceRequest,
  { rates, calendar, ageMs }: LoadedPrices,
): PricesInAllLanguages {
  const isComplete = rates !== undefined && calendar !== undefined
  const status = isComplete ? 'fresh' : 'missing'
  const price = rates?.byProperty.get(request.propertyId)
  return {
    ...priceDocument(request, { status, ageMs: Math.round(ageMs) }),
    ...(price && { price }),
    ...(calendar && { priceCalendarPreview: calendar.days }),
  }
}

/** Without any prices: the whole document where none could be loaded. */
export function priceDocument(
  { propertyId, stay, occupancy }: PriceRequest,
  prices: Section,
): HotelPriceVM {
  const degraded = prices.status !== 'fresh'
  return { propertyId, stay, occupancy, sections: { prices }, degraded }
}

/** Facts about prices that are needed without parsing them. Stored with the entry, not sent. */
const PriceFacts = Type.Object({
  capturedAtMs: Type.Number(),
  /** When they become stale (D6). */
  staleFromMs: Type.Number(),
  isComplete: Type.Boolean(),
  /** By hotel as JSON, also of similar hotels, which the body does not contain. */
  rates: Type.String(),
  /** As JSON; null when it could not be loaded. */
  calendar: Type.Union([Type.String(), Type.Null()]),
})

export type PriceFacts = Static<typeof PriceFacts>

const isPriceFacts = Compile(PriceFacts)
/** Prices of unknown age are stale, and no price is better than a wrong one. */
const UNKNOWN: PriceFacts = {
  capturedAtMs: 0,
  staleFromMs: 0,
  isComplete: false,
  rates: '{}',
  calendar: null,
}

export function priceFactsOf({ facts }: Pick<CachedBytes, 'facts'>): PriceFacts {
  return isPriceFacts.Check(facts) ? facts : UNKNOWN
}

function factsOfPrices(rates: Rates | undefined, calendar: Calendar | undefined): PriceFacts {
  const capturedAtMs = Math.min(
    rates?.capturedAtMs ?? Number.POSITIVE_INFINITY,
    calendar?.capturedAtMs ?? Number.POSITIVE_INFINITY,
  )
  return {
    capturedAtMs,
    staleFromMs: capturedAtMs + RATE_FRESH_MS,
    isComplete: rates !== undefined && calendar !== undefined,
    rates: JSON.stringify(Object.fromEntries(rates?.byProperty ?? [])),
    calendar: calendar === undefined ? null : JSON.stringify(calendar.days),
  }
}
