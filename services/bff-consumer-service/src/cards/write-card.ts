import type { Locale } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { badgesOf, type Standpoint } from './badges-of.ts'
import type { ListingCardVM } from './listing-card.ts'
import { onlyTexts, textFor } from './localized.ts'

export type Hit = Listing & { readonly distanceKm?: number }

/** Parts of a card that come as JSON already. */
export interface CardParts {
  readonly brandPeek: string
  readonly rateSnapshot: string | undefined
}

type OwnPart = Omit<ListingCardVM, 'brandPeek' | 'rateSnapshot'>

/**
 * A card as JSON text. Every member is named here: what an upstream adds does not get through. The
 * parts are put behind, as they are.
 */
export function writeCard(
  hit: Hit,
  parts: CardParts,
  view: Standpoint & { readonly locale: Locale },
): string {
  const own: OwnPart = {
    propertyId: hit.propertyId,
    tenantId: hit.tenantId,
    tenantSlug: hit.tenantSlug,
    name: onlyTexts(hit.name),
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
  const open = JSON.stringify(own).slice(0, -1)
  const rate = parts.rateSnapshot === undefined ? '' : `,"rateSnapshot":${parts.rateSnapshot}`
  return `${open},"brandPeek":${parts.brandPeek}${rate}}`
}
