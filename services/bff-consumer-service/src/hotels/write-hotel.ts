import { isDegraded, MISSING_SECTION, type Section, sectionOf } from '@melmastoon/bff/sections'
import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Locale, PropertyId, TenantId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { neutralBrand } from '../brands/brand-peek.ts'
import type { Brands } from '../brands/brand-sets.ts'
import { type CardOptions, writeCard } from '../cards/write-card.ts'
import { type StayPrice, writeStayPrice } from '../rates/rate-snapshot.ts'
import type { HotelDetailVM, HotelPage } from './hotel-detail.ts'
import { type PriceRequest, priceFactsOf } from './hotel-prices.ts'
import type { HotelSignals, HotelSources } from './read-sources.ts'
import { propertyFields } from './write-property.ts'

/** The parts of a page; undefined where one was not loaded in time. */
export interface HotelParts {
  readonly sources: HotelSources
  readonly priced: PriceRequest
  readonly prices: CachedBytes | undefined
  readonly brands: Brands | undefined
}

type Sections = HotelPage['sections']

export function sectionsOf(parts: HotelParts, nowMs: number): Sections {
  const { sources, prices, brands } = parts
  return {
    property: entrySection(sources.property),
    similar: entrySection(sources.signals),
    prices: prices === undefined ? MISSING_SECTION : priceSection(prices, nowMs),
    brand: brands === undefined ? MISSING_SECTION : sectionOf(brands),
  }
}

function entrySection(entry: CachedBytes | undefined): Section {
  if (entry === undefined) return MISSING_SECTION
  return sectionOf({ status: entry.state === 'stale' ? 'stale' : 'fresh', ageMs: entry.ageMs })
}

function priceSection(prices: CachedBytes, nowMs: number): Section {
  const { capturedAtMs, staleFromMs, isComplete } = priceFactsOf(prices)
  const ageMs = Math.max(0, Math.round(nowMs - capturedAtMs))
  if (!isComplete) return { status: 'missing', ageMs }
  return { status: nowMs >= staleFromMs ? 'stale' : 'fresh', ageMs }
}

export interface JoinOptions {
  readonly sections: Sections
  readonly locale: Locale
}

/** The page as JSON text: the long-lived part, with prices inserted at the placeholders. */
export function joinHotel(
  text: string,
  parts: HotelParts,
  { sections, locale }: JoinOptions,
): string {
  const { stay, occupancy } = parts.priced
  const degraded = isDegraded(sections)
  const head = JSON.stringify({ sections, degraded, stay, occupancy }).slice(0, -1)
  return `${head},${fillPlaceholders(text, priceMembers(parts, locale))}}`
}

/** JSON members that replace the placeholders. */
export interface PriceMembers {
  readonly own: string
  readonly rateOf: (propertyId: string) => string
}

function priceMembers({ priced, prices }: HotelParts, locale: Locale): PriceMembers {
  if (prices === undefined) return { own: '', rateOf: () => '' }
  const { rates, calendar } = priceFactsOf(prices)
  const byProperty = JSON.parse(rates) as Record<string, StayPrice>
  const days = calendar === null ? '' : `,"priceCalendarPreview":${calendar}`
  const own = asStale(byProperty[priced.propertyId])
  return {
    own: `${writeStayPrice(own, locale, 'cheapestRateSnapshot')}${days}`,
    rateOf: (propertyId) => writeStayPrice(asStale(byProperty[propertyId]), locale),
  }
}

/** A CDN may serve the page for minutes: none of its prices is declared fresh. */
function asStale(price: StayPrice | undefined): StayPrice | undefined {
  if (price?.kind !== 'bookable') return price
  return { ...price, rate: { ...price.rate, isStale: true } }
}

/** The lifetime of a booking link (domain model §2.4). */
const HANDOFF_TTL_SECONDS = 1_800
/** Never occurs in JSON text, where it would be escaped. */
const DELIMITER = '\u0000'
/** The placeholder for the hotel's own prices; all others are named by their hotel. */
const OWN_PRICES = 'own'

/** The inputs of the long-lived part. */
export interface HotelTexts {
  readonly detail: PropertyDetail
  readonly signals: HotelSignals | undefined
  /** The visible ones of `signals`. */
  readonly similar: ReadonlySet<PropertyId>
  /** Brand peeks as JSON. */
  readonly brands: ReadonlyMap<TenantId, string>
}

/** All members but prices, which have placeholders: they are inserted for each page (D6). */
export function writeHotel(texts: HotelTexts, options: CardOptions): string {
  const { detail, signals, brands } = texts
  const own = {
    ...propertyFields(detail, signals?.listing, options),
    ...(signals && { popularitySignals: popularityOf(signals) }),
    handoffHint: handoffHint(detail),
  }
  const brandPeek = brands.get(detail.tenantId) ?? JSON.stringify(neutralBrand(detail))
  const prefix = JSON.stringify(own).slice(1, -1)
  const cards =
    signals === undefined ? '' : `,"similarProperties":[${writeSimilar(texts, options)}]`
  return `${prefix},"brandPeek":${brandPeek}${placeholder(OWN_PRICES)}${cards}`
}

function writeSimilar({ signals, similar, brands }: HotelTexts, options: CardOptions): string {
  const shown = signals?.similar.filter(({ propertyId }) => similar.has(propertyId)) ?? []
  const cards = shown.map((listing) => {
    const brandPeek = brands.get(listing.tenantId) ?? JSON.stringify(neutralBrand(listing))
    const card = writeCard(listing, { brandPeek, price: '' }, options)
    return `${card.slice(0, -1)}${placeholder(listing.propertyId)}}`
  })
  return cards.join(',')
}

function popularityOf({ popularity: { bookedLast24h, viewedLast1h } }: HotelSignals) {
  return { bookedLast24h, viewedLast1h }
}

/** Where a booking link is created, and its lifetime: never a link itself (D5). */
export function handoffHint({
  tenantId,
  propertyId,
}: Pick<PropertyDetail, 'tenantId' | 'propertyId'>): HotelDetailVM['handoffHint'] {
  const url = `/bff/consumer/v1/handoff/${tenantId}/${propertyId}`
  return { url, ttlSeconds: HANDOFF_TTL_SECONDS }
}

function placeholder(name: string): string {
  return `${DELIMITER}${name}${DELIMITER}`
}

export function fillPlaceholders(text: string, { own, rateOf }: PriceMembers): string {
  const pieces = text.split(DELIMITER)
  const filled = pieces.map((piece, at) => {
    if (at % 2 === 0) return piece
    return piece === OWN_PRICES ? own : rateOf(piece)
  })
  return filled.join('')
}
