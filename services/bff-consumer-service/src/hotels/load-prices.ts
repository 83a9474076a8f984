import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { LoadResult } from '@melmastoon/chassis/cache'
import { settleSections } from '@melmastoon/chassis/upstream'
import { type CurrencyCode, type PropertyId, problem, type StayDates } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { RATE_FRESH_MS, type Rates, readRates } from '../rates/read-rates.ts'
import type { SearchQuery } from '../search/search-query.ts'
import { PRICE_FRESH_MS } from './define-hotels.ts'
import type { HotelPriceVM } from './hotel-detail.ts'
import type { PriceFacts } from './price-facts.ts'
import { type Calendar, readCalendar } from './read-calendar.ts'

export interface PricesAsked {
  readonly propertyId: PropertyId
  /** Similar hotels, priced in the same call; undefined while the search service has not named them. */
  readonly alike: readonly PropertyId[] | undefined
  readonly stay: StayDates
  readonly occupancy: SearchQuery['occupancy']
  readonly currency: CurrencyCode
}

/** Incomplete prices are requested again soon. */
const INCOMPLETE_FRESH_MS = 2_000
/** Up to here a price counts as taken when it was asked for. */
const CAPTURE_LAG_MAX_MS = 5_000

/** The price document of the hotel, with the prices of those like it beside it. */
export async function loadPrices(
  ctx: ConsumerContext,
  asked: PricesAsked,
  call: UpstreamCall,
): Promise<LoadResult> {
  const { propertyId, alike, stay, occupancy, currency } = asked
  const priced = { query: { dates: stay, occupancy }, currency }
  const { rates, calendar } = await settleSections(
    {
      rates: readRates(ctx, priced, { ...call, propertyIds: [propertyId, ...(alike ?? [])] }),
      calendar: readCalendar(ctx, { propertyId, from: stay.checkIn, currency }, call),
    },
    ctx.reportSection,
  )
  if (rates.value === undefined && calendar.value === undefined) {
    throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
  }
  const facts = listFacts(rates.value, calendar.value)
  const ageMs = Math.max(0, ctx.clock.nowMs() - facts.capturedAtMs)
  const isComplete = facts.isComplete && alike !== undefined
  const freshForMs = isComplete ? PRICE_FRESH_MS - ageMs : INCOMPLETE_FRESH_MS
  const isShort = !isComplete || ageMs > CAPTURE_LAG_MAX_MS
  return {
    body: writePrices(asked, { rates: rates.value, calendar: calendar.value, ageMs }),
    facts,
    ...(isShort && { freshForMs: Math.max(INCOMPLETE_FRESH_MS, freshForMs) }),
  }
}

function listFacts(rates: Rates | undefined, calendar: Calendar | undefined): PriceFacts {
  const capturedAtMs = Math.min(
    rates?.capturedAtMs ?? Number.POSITIVE_INFINITY,
    calendar?.capturedAtMs ?? Number.POSITIVE_INFINITY,
  )
  const snapshots = [...(rates?.byProperty ?? [])].map(([id, text]) => `"${id}":${text}`)
  return {
    capturedAtMs,
    staleFromMs: capturedAtMs + RATE_FRESH_MS,
    isComplete: rates !== undefined && calendar !== undefined,
    rates: `{${snapshots.join(',')}}`,
    calendar: calendar === undefined ? null : JSON.stringify(calendar.days),
  }
}

interface Priced {
  readonly rates: Rates | undefined
  readonly calendar: Calendar | undefined
  readonly ageMs: number
}

type Head = Pick<HotelPriceVM, 'propertyId' | 'stay' | 'occupancy' | 'sections' | 'degraded'>

function writePrices(asked: PricesAsked, { rates, calendar, ageMs }: Priced): string {
  const isComplete = rates !== undefined && calendar !== undefined
  const status = isComplete ? 'fresh' : 'missing'
  const head = headOf(asked, { status, ageMs: Math.round(ageMs) })
  const snapshot = rates?.byProperty.get(asked.propertyId)
  const rate = snapshot === undefined ? '' : `,"cheapestRateSnapshot":${snapshot}`
  const days = calendar && `,"priceCalendarPreview":${JSON.stringify(calendar.days)}`
  return `${JSON.stringify(head).slice(0, -1)}${rate}${days ?? ''}}`
}

/** Also the whole document when nothing could be had. */
export function headOf(
  { propertyId, stay, occupancy }: PricesAsked,
  prices: HotelPriceVM['sections']['prices'],
): Head {
  const degraded = prices.status !== 'fresh'
  return { propertyId, stay, occupancy, sections: { prices }, degraded }
}
