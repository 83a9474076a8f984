import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { neutralBrand } from '../brands/brand-peek.ts'
import { writeCard } from '../cards/write-card.ts'
import type { HotelDetailVM } from './hotel-detail.ts'
import type { HotelSignals } from './hotel-facts.ts'
import { type PropertyView, writeProperty } from './write-property.ts'

/** How long a booking link holds (domain model §2.4). */
const HANDOFF_TTL_SECONDS = 1_800
/** Never within JSON text, where it would be escaped. */
const GAP = '\u0000'
/** The name of the gap for the hotel's own prices; every other is named by its hotel. */
const OWN_PRICES = 'own'

export interface HotelParts {
  readonly detail: PropertyDetail
  readonly signals: HotelSignals | undefined
  /** Those of `signals` that are shown. */
  readonly similar: ReadonlySet<PropertyId>
  /** Peeks as JSON. */
  readonly brands: ReadonlyMap<TenantId, string>
}

/** All members but prices, which have gaps: they are filled when the page is joined (D6). */
export function writeHotel(parts: HotelParts, view: PropertyView): string {
  const { detail, signals, brands } = parts
  const own = {
    ...writeProperty(detail, signals?.listing, view),
    ...(signals && { popularitySignals: popularityOf(signals) }),
    handoffHint: hintOf(detail),
  }
  const brandPeek = brands.get(detail.tenantId) ?? JSON.stringify(neutralBrand(detail))
  const open = JSON.stringify(own).slice(1, -1)
  const cards = signals === undefined ? '' : `,"similarProperties":[${writeCards(parts, view)}]`
  return `${open},"brandPeek":${brandPeek}${gap(OWN_PRICES)}${cards}`
}

function writeCards({ signals, similar, brands }: HotelParts, view: PropertyView): string {
  const shown = signals?.similar.filter(({ propertyId }) => similar.has(propertyId)) ?? []
  const cards = shown.map((listing) => {
    const brandPeek = brands.get(listing.tenantId) ?? JSON.stringify(neutralBrand(listing))
    const card = writeCard(listing, { brandPeek, rateSnapshot: undefined }, view)
    return `${card.slice(0, -1)}${gap(listing.propertyId)}}`
  })
  return cards.join(',')
}

function popularityOf({ popularity: { bookedLast24h, viewedLast1h } }: HotelSignals) {
  return { bookedLast24h, viewedLast1h }
}

/** Where a link is made, and how long one holds: never one itself (D5). */
function hintOf({ tenantId, propertyId }: PropertyDetail): HotelDetailVM['handoffHint'] {
  const url = `/bff/consumer/v1/handoff/${tenantId}/${propertyId}`
  return { url, ttlSeconds: HANDOFF_TTL_SECONDS }
}

function gap(name: string): string {
  return `${GAP}${name}${GAP}`
}

/** What goes into the gaps, as JSON. */
export interface Filling {
  readonly own: string
  readonly rateOf: (propertyId: string) => string
}

export function fillGaps(text: string, { own, rateOf }: Filling): string {
  const pieces = text.split(GAP)
  const filled = pieces.map((piece, at) => {
    if (at % 2 === 0) return piece
    return piece === OWN_PRICES ? own : rateOf(piece)
  })
  return filled.join('')
}
