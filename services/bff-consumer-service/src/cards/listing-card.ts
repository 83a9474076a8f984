import { Section } from '@melmastoon/bff/sections'
import { currency, Geo, id, instant, LocalizedString } from '@melmastoon/upstream-contracts'
import { DISPLAY_POLICIES } from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'

export const BADGES = ['crossRegionDelivery', 'shariaCompliant', 'newProperty'] as const
export type Badge = (typeof BADGES)[number]

export const BrandPeekVM = Type.Object({
  primaryColor: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  logoUrl: Type.String(),
  brandName: LocalizedString,
})

export type BrandPeekVM = Static<typeof BrandPeekVM>

/** Amounts are safe JSON integers in minor units (D7). */
export const RateSnapshotVM = Type.Object({
  cheapestNightlyMinor: Type.Integer(),
  totalForStayMinor: Type.Integer(),
  currency: currency(),
  currencyDisplayPolicy: Type.Enum([...DISPLAY_POLICIES]),
  fxSnapshotId: Type.Optional(id('fxs')),
  capturedAt: instant(),
  ttlExpiresAt: instant(),
  /** True from `ttlExpiresAt` on, whichever cache the answer came from (D6). */
  isStale: Type.Boolean(),
})

export type RateSnapshotVM = Static<typeof RateSnapshotVM>

/** Domain model §4.1. */
export const ListingCardVM = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  tenantSlug: Type.String(),
  name: LocalizedString,
  city: Type.String(),
  country: Type.String(),
  geo: Geo,
  thumbnail: Type.Object({ url: Type.String(), alt: Type.String() }),
  starRating: Type.Optional(Type.Integer()),
  guestRating: Type.Optional(Type.Object({ value: Type.Number(), count: Type.Integer() })),
  amenityHighlights: Type.Array(Type.String(), { maxItems: 5 }),
  brandPeek: BrandPeekVM,
  rateSnapshot: Type.Optional(RateSnapshotVM),
  badges: Type.Array(Type.Enum([...BADGES])),
  distanceKm: Type.Optional(Type.Number()),
})

export type ListingCardVM = Static<typeof ListingCardVM>

/** The sections of a response with cards; `prices` only where a stay was requested. */
export const CardSections = Type.Object({
  listings: Section,
  brands: Section,
  prices: Type.Optional(Section),
})

export type CardSections = Static<typeof CardSections>
