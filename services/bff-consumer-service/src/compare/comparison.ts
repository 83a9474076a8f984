import { Section } from '@melmastoon/bff/sections'
import { fieldError, isId, type PropertyId, problem } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import { Policies, PROPERTY_TYPES } from '@melmastoon/upstream-contracts/property'
import { type Static, Type } from 'typebox'
import { CardSections, ListingCardVM } from '../cards/listing-card.ts'

const COMPARED_MAX = 3

const { kind, freeUntilHours, penaltyBasisPoints } = Policies.properties.cancellation.properties

/** Facts that cards do not contain. */
const ComparedFacts = Type.Object({
  propertyType: Type.Enum([...PROPERTY_TYPES]),
  address: Type.String({ description: 'In the language of the response' }),
  checkInTime: Type.String({ description: 'From this local time on' }),
  checkOutTime: Type.String({ description: 'Until this local time' }),
  cancellation: Type.Object({
    kind,
    freeUntilHours,
    penaltyBasisPoints,
    text: Type.String(),
  }),
  roomTypes: Type.Integer({ description: 'Number of room types' }),
})

export type ComparedFacts = Static<typeof ComparedFacts>

const ComparedHotel = Type.Object({
  card: ListingCardVM,
  /** Absent when the property service did not respond. */
  facts: Type.Optional(ComparedFacts),
})

/** One row of the comparison. */
const ComparedAmenity = Type.Object({
  code: Type.String(),
  name: Type.String(),
  has: Type.Array(Type.Union([Type.Boolean(), Type.Null()]), {
    maxItems: COMPARED_MAX,
    description: 'In the order of `hotels`; null where it is unknown',
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
  degraded: Type.Boolean({ description: 'At least one section is stale or missing' }),
  hotels: Type.Array(ComparedHotel, {
    maxItems: COMPARED_MAX,
    description: 'In the requested order',
  }),
  amenities: Type.Array(ComparedAmenity, {
    description: 'Amenities of at least one of the hotels',
  }),
  missing: Type.Array(MissingHotel, { maxItems: COMPARED_MAX }),
})

export type ComparisonVM = Static<typeof ComparisonVM>

const IDS_AT = '/query/ids'

/**
 * Ids of hotels, separated by commas.
 * @throws Problem VALIDATION_FAILED unless there are one to three different ids.
 */
export function readIds(text: string): PropertyId[] {
  const ids = text.split(',')
  if (!ids.every((id) => isId('ppt', id))) throw invalidIds('id', 'contains an invalid hotel id')
  if (ids.length > COMPARED_MAX) {
    throw invalidIds('count', `contains more than ${COMPARED_MAX} hotel ids`)
  }
  if (new Set(ids).size < ids.length) throw invalidIds('unique', 'contains a hotel id twice')
  return ids
}

function invalidIds(code: string, detail: string) {
  const errors = [fieldError(IDS_AT, code, detail)]
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
