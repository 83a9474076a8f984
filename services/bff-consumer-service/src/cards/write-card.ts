import { knownPartOf } from '@melmastoon/chassis/upstream'
import {
  daysBetween,
  type IsoDate,
  type Locale,
  type LocalizedText,
  pickLocalizedText,
  textFor,
} from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { LRUCache } from 'lru-cache'
import type { Badge, ListingCardVM } from './listing-card.ts'
import { writePicture } from './write-picture.ts'

export type Hit = Listing & { readonly distanceKm?: number }

/** What a card depends on besides its listing. */
export interface CardOptions {
  readonly locale: Locale
  /** The cloud region that serves the response. */
  readonly region: string
  readonly today: IsoDate
}

/** Parts of a card that are JSON already. */
export interface CardParts {
  readonly brandPeek: string
  /** The members that `writeStayPrice` returns; empty without a price. */
  readonly price: string
}

/** A card as JSON text: the fields of the listing, followed by the parts as they are. */
export function writeCard(hit: Hit, parts: CardParts, options: CardOptions): string {
  const prefix = serializeCardPrefix(listingFields(hit, options))
  return `${prefix},"brandPeek":${parts.brandPeek}${parts.price}}`
}

export type ListingFields = Omit<ListingCardVM, 'brandPeek' | 'availability' | 'rateSnapshot'>

/**
 * The fields of a card that come from the listing. Every member is named: undeclared members of an
 * upstream response are dropped.
 */
function listingFields(hit: Hit, options: CardOptions): ListingFields {
  return {
    propertyId: hit.propertyId,
    tenantId: hit.tenantId,
    tenantSlug: hit.tenantSlug,
    name: pickLocalizedText(hit.name),
    city: textFor(hit.cityName, options.locale),
    cityKey: hit.city,
    country: hit.country,
    ...neighbourhoodOf(hit, options.locale),
    geo: { lat: hit.geo.lat, lng: hit.geo.lng },
    timeZone: hit.timeZone,
    thumbnail: writePicture(hit.thumbnail, options.locale),
    ...(hit.starRating !== undefined && { starRating: hit.starRating }),
    ...(hit.guestRating !== undefined && {
      guestRating: { value: hit.guestRating.value, count: hit.guestRating.count },
    }),
    amenityHighlights: hit.amenityHighlights,
    badges: badgesOf(hit, options),
    ...(hit.distanceKm !== undefined && { distanceKm: hit.distanceKm }),
  }
}

interface InNeighbourhood {
  readonly neighbourhood?: string
  readonly neighbourhoodName?: LocalizedText
}

/** In the requested language, else as the search names it. */
export function neighbourhoodOf(
  { neighbourhood, neighbourhoodName }: InNeighbourhood,
  locale: Locale,
): { neighbourhood?: string } {
  if (neighbourhoodName !== undefined) return { neighbourhood: textFor(neighbourhoodName, locale) }
  return neighbourhood === undefined ? {} : { neighbourhood }
}

/** JSON text without the closing brace: the other parts follow. */
function serializeCardPrefix(fields: ListingFields): string {
  return JSON.stringify(fields).slice(0, -1)
}

const NEW_FOR_DAYS = 90

export function badgesOf(
  listing: Pick<Listing, 'deliveryRegion' | 'shariaCompliant' | 'openedOn'>,
  { region, today }: Pick<CardOptions, 'region' | 'today'>,
): Badge[] {
  const badges: Badge[] = []
  if (listing.deliveryRegion !== region) badges.push('crossRegionDelivery')
  if (listing.shariaCompliant) badges.push('shariaCompliant')
  if (daysBetween(listing.openedOn, today) <= NEW_FOR_DAYS) badges.push('newProperty')
  return badges
}

/** More hotels than a process shows in an hour. */
const CARDS_MAX = 5_000

export interface CardCache {
  /** The card without brand and price, as bytes and without the closing brace. */
  prefixOf(hit: Hit, options: CardOptions): Buffer
}

/** Languages, and a change of the day. */
const VIEWS_MAX = 16

/**
 * The same hotels are on many pages, and mostly unchanged: a listing that was received before is
 * the same object, and comparing the fields of a card with the cached ones costs a fraction of
 * serializing them.
 */
export function createCardCache(): CardCache {
  const cached = new LRUCache<string, { readonly fields: ListingFields; readonly bytes: Buffer }>({
    max: CARDS_MAX,
  })
  const byListing = new WeakMap<object, Map<string, Buffer>>()

  function compare(hit: Hit, options: CardOptions): Buffer {
    const fields = listingFields(hit, options)
    const key = `${options.locale} ${hit.propertyId}`
    const last = cached.get(key)
    if (last !== undefined && isSameJson(last.fields, fields)) return last.bytes
    const bytes = Buffer.from(serializeCardPrefix(fields))
    cached.set(key, { fields, bytes })
    return bytes
  }

  return {
    prefixOf(hit, options) {
      // The distance belongs to the search.
      const listing = hit.distanceKm === undefined ? knownPartOf(hit) : undefined
      if (listing === undefined) return compare(hit, options)
      const view = `${options.locale} ${options.region} ${options.today}`
      const views = byListing.get(listing) ?? new Map<string, Buffer>()
      const bytes = views.get(view) ?? compare(hit, options)
      if (views.size >= VIEWS_MAX) views.clear()
      byListing.set(listing, views.set(view, bytes))
      return bytes
    },
  }
}

/** Whether two JSON values are equal; the order of members is irrelevant. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false
  let left = 0
  for (const name in one) {
    if (!Object.hasOwn(other, name)) return false
    if (!isSameJson(memberOf(one, name), memberOf(other, name))) return false
    left += 1
  }
  for (const _name in other) left -= 1
  return left === 0
}

function memberOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name]
}
