import { Section } from '@melmastoon/bff/sections'
import { Geo, id, LocalizedString, PictureSize } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { BrandPeekVM } from '../brands/brand-peek.ts'
import { StayAvailabilityVM } from '../rates/offer-terms.ts'
import { RateSnapshotVM } from '../rates/rate-snapshot.ts'

export const BADGES = ['crossRegionDelivery', 'shariaCompliant', 'newProperty'] as const
export const BADGES_DESCRIPTION =
  'newProperty: opened in the last 90 days. shariaCompliant: run by the rules of sharia, as the ' +
  'hotel declares. crossRegionDelivery: the data of the hotel is served from another cloud region ' +
  'than this response, so its booking site may be slower; not for guests'
export type Badge = (typeof BADGES)[number]

/** Domain model §4.1. */
export const ListingCardVM = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  tenantSlug: Type.String(),
  name: LocalizedString,
  city: Type.String({ description: 'The name of the city in the language of the response' }),
  cityKey: Type.String({ description: 'As used by `geo.city`, the same in every language' }),
  country: Type.String(),
  neighbourhood: Type.Optional(
    Type.String({ description: 'In the language of the response, if there is a translation' }),
  ),
  geo: Geo,
  timeZone: Type.String({
    description: 'Of the hotel, an IANA name: deadlines are shown by its clocks',
  }),
  thumbnail: Type.Object({ url: Type.String(), alt: Type.String(), ...PictureSize }),
  starRating: Type.Optional(Type.Integer()),
  guestRating: Type.Optional(Type.Object({ value: Type.Number(), count: Type.Integer() })),
  amenityHighlights: Type.Array(Type.String(), { maxItems: 5 }),
  brandPeek: BrandPeekVM,
  /** Of the requested stay; absent while prices are missing. */
  availability: Type.Optional(StayAvailabilityVM),
  /** Absent unless the stay can be booked. */
  rateSnapshot: Type.Optional(RateSnapshotVM),
  badges: Type.Array(Type.Enum([...BADGES]), { description: BADGES_DESCRIPTION }),
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
