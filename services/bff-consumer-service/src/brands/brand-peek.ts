import { pickLocalizedText } from '@melmastoon/domain'
import { LocalizedString } from '@melmastoon/upstream-contracts'
import type { Listing } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'

export const BrandPeekVM = Type.Object({
  primaryColor: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  logoUrl: Type.String(),
  brandName: LocalizedString,
})

export type BrandPeekVM = Static<typeof BrandPeekVM>

export const NEUTRAL_COLOR = '#5f6b7a'
/** A plain disc as a data URL: it needs no further request. */
const NEUTRAL_LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E" +
  "%3Ccircle cx='16' cy='16' r='16' fill='%235f6b7a'/%3E%3C/svg%3E"

/** The brand of a hotel whose theme is unknown: its own name in grey. */
export function neutralBrand({ name }: Pick<Listing, 'name'>): BrandPeekVM {
  return { primaryColor: NEUTRAL_COLOR, logoUrl: NEUTRAL_LOGO, brandName: pickLocalizedText(name) }
}
