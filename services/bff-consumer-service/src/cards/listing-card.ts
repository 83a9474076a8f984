import { Section } from '@melmastoon/bff/sections'
import { Geo, id, LocalizedString, PictureSize } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { BrandPeekVM } from '../brands/brand-peek.ts'
import { StayAvailabilityVM } from '../rates/offer-terms.ts'
import { RateSnapshotVM } from '../rates/rate-snapshot.ts'

export const BADGES = ['crossRegionDelivery', 'shariaCompliant', 'newProperty'] as const
export type Badge = (typeof BADGES)[number]

/** Domain model §4.1. */
export const ListingCardVM = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  tenantSlug: Type.String(),
  name: LocalizedString,
  city: Type.String(),
  country: Type.String(),
  neighbourhood: Type.Optional(
    Type.String({ description: 'In the language of the response, if there is a translation' }),
  ),
  geo: Geo,
  thumbnail: Type.Object({ url: Type.String(), alt: Type.String(), ...PictureSize }),
  starRating: Type.Optional(Type.Integer()),
  guestRating: Type.Optional(Type.Object({ value: Type.Number(), count: Type.Integer() })),
  amenityHighlights: Type.Array(Type.String(), { maxItems: 5 }),
  brandPeek: BrandPeekVM,
  /** Of the requested stay; absent while prices are missing. */
  availability: Type.Optional(StayAvailabilityVM),
  /** Absent unless the stay can be booked. */
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
