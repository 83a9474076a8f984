import { pickLocalizedText } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import type { BrandPeekVM } from '../cards/listing-card.ts'

export const NEUTRAL_COLOR = '#5f6b7a'
/** Nobody's mark: a plain disc that needs no further request. */
const NEUTRAL_LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  "%3Ccircle cx='16' cy='16' r='16' fill='%235f6b7a'/%3E%3C/svg%3E"

/**
 * A card must have a brand, and a hotel's colours cannot be guessed: its own name in grey says
 * nothing untrue.
 */
export function neutralBrand({ name }: Pick<Listing, 'name'>): BrandPeekVM {
  return { primaryColor: NEUTRAL_COLOR, logoUrl: NEUTRAL_LOGO, brandName: pickLocalizedText(name) }
}
