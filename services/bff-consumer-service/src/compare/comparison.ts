import { Section } from '@melmastoon/bff/sections'
import { id } from '@melmastoon/upstream-contracts'
import { Policies, PROPERTY_TYPES } from '@melmastoon/upstream-contracts/property'
import { type Static, Type } from 'typebox'
import { CardSections, ListingCardVM } from '../cards/listing-card.ts'

export const COMPARED_MAX = 3

const { kind, freeUntilHours, penaltyBasisPoints } = Policies.properties.cancellation.properties

/** What a card does not say. */
const ComparedFacts = Type.Object({
  propertyType: Type.Enum([...PROPERTY_TYPES]),
  checkInTime: Type.String({ description: 'From then on, in local time' }),
  checkOutTime: Type.String({ description: 'Until then, in local time' }),
  cancellation: Type.Object({
    kind,
    freeUntilHours,
    penaltyBasisPoints,
    text: Type.String(),
  }),
  roomTypes: Type.Integer({ description: 'How many kinds of rooms there are' }),
})

export type ComparedFacts = Static<typeof ComparedFacts>

const ComparedHotel = Type.Object({
  card: ListingCardVM,
  /** Absent when the hotel could not be asked for them. */
  facts: Type.Optional(ComparedFacts),
})

/** One line of the table. */
const ComparedAmenity = Type.Object({
  code: Type.String(),
  name: Type.String(),
  has: Type.Array(Type.Union([Type.Boolean(), Type.Null()]), {
    maxItems: COMPARED_MAX,
    description: 'In the order of `hotels`; null where nobody could tell',
  }),
})

export type ComparedAmenity = Static<typeof ComparedAmenity>

const MissingHotel = Type.Object({
  propertyId: id('ppt'),
  reason: Type.Enum(['not-found', 'not-loaded']),
})

export type MissingHotel = Static<typeof MissingHotel>

export const ComparisonVM = Type.Object({
  sections: Type.Object({ ...CardSections.properties, facts: Section }),
  degraded: Type.Boolean({ description: 'Some section is not what it should be' }),
  hotels: Type.Array(ComparedHotel, { maxItems: COMPARED_MAX, description: 'In the order asked' }),
  amenities: Type.Array(ComparedAmenity, { description: 'What any of them has' }),
  missing: Type.Array(MissingHotel, { maxItems: COMPARED_MAX }),
})

export type ComparisonVM = Static<typeof ComparisonVM>
