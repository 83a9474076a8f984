import { type Locale, pickLocalizedText, textFor } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { badgesOf, type Standpoint } from './badges-of.ts'
import type { ListingCardVM } from './listing-card.ts'

export type Hit = Listing & { readonly distanceKm?: number }

export interface CardView extends Standpoint {
  readonly locale: Locale
}

export type OwnPart = Omit<ListingCardVM, 'brandPeek' | 'rateSnapshot'>

/**
 * What a card shows of the listing itself. Every member is named here: what an upstream adds does
 * not get through.
 */
export function ownPart(hit: Hit, view: CardView): OwnPart {
  return {
    propertyId: hit.propertyId,
    tenantId: hit.tenantId,
    tenantSlug: hit.tenantSlug,
    name: pickLocalizedText(hit.name),
    city: textFor(hit.cityName, view.locale),
    country: hit.country,
    geo: { lat: hit.geo.lat, lng: hit.geo.lng },
    thumbnail: { url: hit.thumbnail.url, alt: textFor(hit.thumbnail.alt, view.locale) },
    ...(hit.starRating !== undefined && { starRating: hit.starRating }),
    ...(hit.guestRating !== undefined && {
      guestRating: { value: hit.guestRating.value, count: hit.guestRating.count },
    }),
    amenityHighlights: hit.amenityHighlights,
    badges: badgesOf(hit, view),
    ...(hit.distanceKm !== undefined && { distanceKm: hit.distanceKm }),
  }
}
