import { Section } from '@melmastoon/bff/sections'
import { Occupancy } from '@melmastoon/bff/stays'
import { currency, id, instant, isoDate, named, text } from '@melmastoon/upstream-contracts'
import { BOARDS, RatePlan } from '@melmastoon/upstream-contracts/pricing'
import { BED_KINDS, Policies, ROOM_KINDS } from '@melmastoon/upstream-contracts/property'
import { type Static, Type } from 'typebox'
import { CancellationVM } from '../properties/cancellation-terms.ts'

/** Why a room cannot be booked for the stay (D33). */
const ROOM_REASONS = ['sold_out', 'too_small', 'no_rate', 'price_unavailable'] as const

export const MoneyVM = named(
  'Money',
  Type.Object({
    amountMinor: Type.Integer({ description: 'In minor units of the currency' }),
    currency: currency(),
  }),
  { amountMinor: 500_000, currency: 'AFN' },
)

/** One room type at one rate: what the price means, and its conditions (D33). */
export const OfferVM = named(
  'Offer',
  Type.Object({
    ratePlanId: id('rate'),
    ratePlanCode: text(20),
    ratePlanName: Type.String(),
    category: RatePlan.properties.category,
    board: Type.Enum([...BOARDS]),
    cancellation: CancellationVM,
    nightly: Type.Object(
      { ...MoneyVM.properties },
      { description: 'One room in the cheapest night, before extras, fees and taxes' },
    ),
    total: Type.Object({ ...MoneyVM.properties }, { description: 'All rooms and nights' }),
    taxesIncluded: Type.Boolean({ description: 'In `total`' }),
    feesIncluded: Type.Boolean({ description: 'In `total`' }),
    digest: Type.String({ description: 'Equal to that of a quote while the offer is unchanged' }),
    capturedAt: instant(),
    isStale: Type.Boolean({ description: 'The price is older than a minute' }),
  }),
)

export type OfferVM = Static<typeof OfferVM>

const PhotoVM = Type.Object({ url: Type.String(), alt: Type.String() })

export const RoomVM = named(
  'AvailableRoom',
  Type.Object({
    roomTypeId: id('rmt'),
    name: Type.String(),
    kind: Type.Enum([...ROOM_KINDS]),
    sizeSqm: Type.Integer(),
    beds: Type.Array(Type.Object({ kind: Type.Enum([...BED_KINDS]), count: Type.Integer() })),
    occupancy: Type.Object({
      adultsMax: Type.Integer(),
      childrenMax: Type.Integer(),
      occupancyMax: Type.Integer(),
    }),
    photos: Type.Array(PhotoVM),
    bookable: Type.Boolean(),
    soldOut: Type.Boolean(),
    priceUnavailable: Type.Boolean({ description: 'The price could not be determined now' }),
    reason: Type.Optional(Type.Enum([...ROOM_REASONS])),
    left: Type.Optional(Type.Integer({ minimum: 1, description: 'Only when few rooms are left' })),
    cheapest: Type.Optional(OfferVM),
    offers: Type.Array(OfferVM, { description: 'One per rate plan, the cheapest first' }),
  }),
)

export type RoomVM = Static<typeof RoomVM>

export const AvailabilityVM = named(
  'Availability',
  Type.Object({
    propertyId: id('ppt'),
    propertyName: Type.String(),
    stay: Type.Object({ checkIn: isoDate(), checkOut: isoDate(), nights: Type.Integer() }),
    occupancy: Occupancy,
    timeZone: Type.String({ description: 'Of the hotel; dates of the stay are its dates' }),
    checkInTime: Policies.properties.checkInTime,
    checkOutTime: Policies.properties.checkOutTime,
    amenities: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })),
    currency: Type.Object({
      requested: currency(),
      shown: Type.Unsafe<Static<ReturnType<typeof currency>>>({
        ...currency(),
        description: "The hotel's own where no exchange rate is available",
      }),
      converted: Type.Boolean({
        description: "Amounts are converted from the hotel's currency, in which the stay is paid",
      }),
      fxSnapshotId: Type.Optional(id('fxs')),
    }),
    rooms: Type.Array(RoomVM),
    sections: Type.Object({ property: Section, inventory: Section, prices: Section }),
    degraded: Type.Boolean(),
    stale: Type.Boolean({ description: 'The rooms left are not known to be current' }),
  }),
)

export type AvailabilityVM = Static<typeof AvailabilityVM>
