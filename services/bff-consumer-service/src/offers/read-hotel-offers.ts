import { countSections, MISSING_SECTION, type Section, sectionOf } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import type { ReportSection } from '@melmastoon/chassis/upstream'
import { isProblem, PROBLEMS } from '@melmastoon/domain'
import type { ComposedDeps, ComposedPages } from '../derived-responses/composed-pages.ts'
import { chooseStay, type HotelRequest, keyOfHotel } from '../hotels/hotel-query.ts'
import {
  type HotelSources,
  peekSources,
  propertyOf,
  readSources,
  type SourceDeps,
} from '../hotels/read-sources.ts'
import { hotelAddress } from '../listings/listing-cache.ts'
import { maxAgeOf, type ServedPrices } from '../rates/served-prices.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import type { HotelOffersVM } from './hotel-offers.ts'
import { OFFERS_MS, type OfferCaches } from './offer-caches.ts'
import {
  type OfferDeps,
  type OffersRequest,
  offerFactsOf,
  offersOf,
  peekOffers,
  readOffers,
} from './read-offers.ts'
import { offersDocument } from './write-offers.ts'

/** The request for offers, their etag, and the dims of the document in its cache. */
export interface ComposedOffers {
  readonly request: OffersRequest
  readonly etag: string
  readonly dims: Parameters<OfferCaches['offerPages']['peek']>[0]
}

export type HotelOfferDeps = SourceDeps &
  OfferDeps &
  ComposedDeps &
  Pick<OfferCaches, 'offerPages'> & {
    readonly composedOffers: ComposedPages<ComposedOffers>
    readonly upstreams: SourceDeps['upstreams'] & OfferDeps['upstreams']
    readonly measures: OfferDeps['measures'] & {
      readonly sections: CounterMetric<'section' | 'status'>
    }
    readonly reportSection: ReportSection
  }

type ServedOffers = Extract<ServedPrices<HotelOffersVM>, { kind: 'cached' }>

/** The document, if this process has it in memory. */
export function peekHotelOffers(
  deps: HotelOfferDeps,
  planned: HotelRequest,
): ServedOffers | undefined {
  const composed = deps.composedOffers.find(deps, keyOfHotel(planned))
  return (composed && peekComposed(deps, composed)) ?? peekParts(deps, planned)
}

/** Undefined also when the offers were loaded again since. */
function peekComposed(
  deps: HotelOfferDeps,
  { request, etag, dims }: ComposedOffers,
): ServedOffers | undefined {
  const offers = peekOffers(deps, request)
  if (offers?.etag !== etag) return undefined
  const bytes = deps.offerPages.peek(dims)
  return bytes && serve(deps, bytes, offers)
}

function peekParts(deps: HotelOfferDeps, planned: HotelRequest): ServedOffers | undefined {
  const sources = peekSources(deps, planned.propertyId)
  if (sources === undefined) return undefined
  const request = requestOf(planned, sources, deps.clock.now())
  const offers = peekOffers(deps, request)
  if (offers === undefined) return undefined
  const { dims } = identify(deps, { planned, request, sources, offers })
  const bytes = deps.offerPages.peek(dims)
  if (bytes === undefined) return undefined
  const composed = { request, etag: offers.etag, dims: Object.freeze(dims) }
  rememberOffers(deps, planned, { sources, offers, composed })
  return serve(deps, bytes, offers)
}

interface ComposedParts {
  readonly sources: HotelSources
  readonly offers: CachedBytes
  readonly composed: ComposedOffers
}

function rememberOffers(
  deps: HotelOfferDeps,
  planned: HotelRequest,
  { sources, offers, composed }: ComposedParts,
): void {
  const { property, signals, tenantId } = sources
  if (signals === undefined) return
  const { staleFromMs } = offerFactsOf(offers)
  const ends = [property, signals].map((part) => part.freshUntilMs)
  deps.composedOffers.remember(deps, keyOfHotel(planned), {
    page: composed,
    tags: hotelAddress(planned.propertyId).tags,
    tenants: [tenantId],
    // Prices that are stale already remain so.
    freshUntilMs: Math.min(...ends, ...[staleFromMs].filter((ms) => ms > deps.clock.nowMs())),
  })
}

/**
 * The property and its offers in parallel where the request has a stay; the default stay depends on
 * the date at the hotel. Only the property is indispensable.
 */
export async function readHotelOffers(
  deps: HotelOfferDeps,
  planned: HotelRequest,
  call: UpstreamCall,
): Promise<ServedOffers> {
  const { stay } = planned
  const early = stay && settleOffers(deps, { ...planned, stay }, call)
  const sources = await readSources(deps, planned.propertyId, call).catch(asBudgetExceeded)
  const request = requestOf(planned, sources, deps.clock.now())
  const { offers, rejection } = await (early ?? settleOffers(deps, request, call))
  if (rejection !== undefined) throw rejection
  const { dims, sections } = identify(deps, { planned, request, sources, offers })
  const bytes = await deps.offerPages.get({
    dims,
    load: async () => {
      countSections(deps.measures.sections, sections)
      const detail = propertyOf(sources.property)
      const captured = offers && offersOf(offers)
      const parts = { detail, request, offers: captured, sections, locale: planned.locale }
      return { body: JSON.stringify(offersDocument(parts)) }
    },
  })
  return serve(deps, bytes, offers)
}

function requestOf(
  { propertyId, stay, occupancy, currency }: HotelRequest,
  { timeZone }: HotelSources,
  now: Date,
): OffersRequest {
  return { propertyId, stay: chooseStay(stay, timeZone, now), occupancy, currency }
}

interface SettledOffers {
  readonly offers?: CachedBytes
  /** Of the stay or the hotel: the request cannot succeed without a change. */
  readonly rejection?: Error
}

/** Never rejects: it may run while the property is loaded, which decides first. */
async function settleOffers(
  deps: HotelOfferDeps,
  { propertyId, stay, occupancy, currency }: OffersRequest,
  { deadline: whole, trace }: UpstreamCall,
): Promise<SettledOffers> {
  using deadline = createDeadline(OFFERS_MS, { parent: whole.signal })
  try {
    const request = { propertyId, stay, occupancy, currency }
    return { offers: await readOffers(deps, request, { deadline, trace }) }
  } catch (error) {
    if (isProblem(error) && PROBLEMS[error.code].status < 500) return { rejection: error }
    deps.reportSection('offers', error)
    return {}
  }
}

interface IdentifiedParts {
  readonly planned: HotelRequest
  readonly request: OffersRequest
  readonly sources: HotelSources
  readonly offers: CachedBytes | undefined
}

/** A document is identified by its parts and by the statuses of its sections. */
function identify(
  { clock }: HotelOfferDeps,
  { planned, request, sources, offers }: IdentifiedParts,
) {
  const sections = {
    property: propertySection(sources.property),
    prices: offers === undefined ? MISSING_SECTION : priceSection(offers, clock.nowMs()),
  }
  const { stay, occupancy, currency } = request
  const statuses = `${sections.property.status} ${sections.prices.status}`
  return {
    sections,
    dims: {
      parts: `${sources.property.etag} ${offers?.etag} ${statuses}`,
      priced: JSON.stringify([currency, stay, occupancy]),
      locale: planned.locale,
    },
  }
}

function propertySection({ state, ageMs }: CachedBytes): Section {
  return sectionOf({ status: state === 'stale' ? 'stale' : 'fresh', ageMs })
}

function priceSection(offers: CachedBytes, nowMs: number): Section {
  const { capturedAtMs, staleFromMs } = offerFactsOf(offers)
  const ageMs = Math.max(0, nowMs - capturedAtMs)
  return sectionOf({ status: nowMs >= staleFromMs ? 'stale' : 'fresh', ageMs })
}

/** Without offers the property alone decides the age, and a client must ask again. */
function serve(
  { clock }: HotelOfferDeps,
  bytes: CachedBytes,
  offers: CachedBytes | undefined,
): ServedOffers {
  if (offers === undefined) return { kind: 'cached', bytes, origin: bytes, maxAgeSeconds: 0 }
  const maxAgeSeconds = maxAgeOf(offers, offerFactsOf(offers).staleFromMs, clock.nowMs())
  return { kind: 'cached', bytes, origin: offers, maxAgeSeconds }
}
