import { MISSING_SECTION } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { settleSections } from '@melmastoon/chassis/upstream'
import type { Locale } from '@melmastoon/domain'
import {
  type Derivation,
  type DerivedDeps,
  markSectionsStale,
  readDerived,
} from '../derived-responses/read-derived.ts'
import { writeStayPrice } from '../rates/rate-snapshot.ts'
import { maxAgeOf, type ServedPrices } from '../rates/served-prices.ts'
import { asBudgetExceeded, UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { HotelPriceVM } from './hotel-detail.ts'
import {
  type HotelPriceDeps,
  type PricesInAllLanguages,
  planPrices,
  priceDocument,
  priceFactsOf,
  readHotelPrices,
} from './hotel-prices.ts'
import type { HotelRequest } from './hotel-query.ts'
import { readSources, type SourceDeps } from './read-sources.ts'

/** The price of one hotel with its age (D6). */
export async function readHotelPrice(
  deps: SourceDeps & HotelPriceDeps & DerivedDeps,
  request: HotelRequest,
  call: UpstreamCall,
): Promise<ServedPrices<HotelPriceVM>> {
  const sources = await readSources(deps, request.propertyId, call).catch(asBudgetExceeded)
  const priced = planPrices(request, sources, deps.clock.now())
  using deadline = createDeadline(UPSTREAM_MS.pricing, { parent: call.deadline.signal })
  const { trace } = call
  const { prices } = await settleSections(
    { prices: readHotelPrices(deps, priced, { deadline, trace }) },
    deps.reportSection,
  )
  const { value: origin } = prices
  if (origin === undefined)
    return { kind: 'none', document: priceDocument(priced, MISSING_SECTION) }
  const { staleFromMs, isComplete } = priceFactsOf(origin)
  const nowMs = deps.clock.nowMs()
  const isStale = nowMs >= staleFromMs
  const bytes = await readDerived(deps, origin, priceIn(request.locale, isStale))
  const maxAgeSeconds = isComplete ? maxAgeOf(origin, staleFromMs, nowMs) : 0
  return { kind: 'cached', bytes, origin, maxAgeSeconds }
}

/** The cached prices as they are sent: in one language, and marked if they are stale. */
function priceIn(locale: Locale, isStale: boolean): Derivation {
  return {
    name: `price ${locale}${isStale ? ' stale' : ''}`,
    derive: (text) => {
      const written = writePrice(JSON.parse(text) as PricesInAllLanguages, locale)
      return isStale ? markSectionsStale(written, ['prices']) : written
    },
  }
}

function writePrice(prices: PricesInAllLanguages, locale: Locale): string {
  const { price, priceCalendarPreview: days, ...head } = prices
  const members = writeStayPrice(price, locale, 'cheapestRateSnapshot')
  const calendar = days === undefined ? '' : `,"priceCalendarPreview":${JSON.stringify(days)}`
  return `${JSON.stringify(head).slice(0, -1)}${members}${calendar}}`
}
