import { Section } from '@melmastoon/bff/sections'
import { id, named, Occupancy, Stay } from '@melmastoon/upstream-contracts'
import { PAYMENT_METHODS } from '@melmastoon/upstream-contracts/offers'
import { type Static, Type } from 'typebox'
import { HotelDetailVM, PropertySummaryVM, RoomTypeSummaryVM } from '../hotels/hotel-detail.ts'
import { HotelPoliciesVM } from '../hotels/hotel-policies.ts'
import { OFFER_PRICE, OFFER_TERMS, StayAvailabilityVM } from '../rates/offer-terms.ts'
import { PriceLineVM } from '../rates/price-lines.ts'
import { RATE_AMOUNTS, RateCaptureVM } from '../rates/rate-snapshot.ts'

const nights = (description: string) => Type.Integer({ minimum: 1, description })

/** One room type with one rate plan for the requested stay and party. */
export const StayOfferVM = named(
  'StayOffer',
  Type.Object({
    ...OFFER_TERMS,
    minNights: nights('The shortest stay that the plan allows'),
    maxNights: nights('The longest stay that the plan allows; a request has at most 30 nights'),
    advanceDaysMin: Type.Integer({
      minimum: 0,
      description: 'The fewest days from today to the arrival; for `advance_days`',
    }),
    availability: StayAvailabilityVM,
    price: Type.Optional(
      named(
        'OfferPrice',
        Type.Object(
          {
            ...RATE_AMOUNTS,
            ...OFFER_PRICE,
            lines: Type.Array(PriceLineVM, {
              maxItems: 100,
              description:
                'What the total consists of, as in the quote of the booking site: nights, ' +
                'discounts, extras, fees and taxes, in this order. Those that are not `included` ' +
                'add up exactly to `totalForStayMinor`',
            }),
          },
          { description: 'Absent unless the offer can be booked' },
        ),
      ),
    ),
  }),
)

export type StayOfferVM = Static<typeof StayOfferVM>

const RoomOffersVM = named(
  'RoomOffers',
  Type.Object({
    ...RoomTypeSummaryVM.properties,
    roomsLeft: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'The fewest rooms available in any night; absent while prices are missing',
      }),
    ),
    offers: Type.Array(StayOfferVM, {
      maxItems: 20,
      description: 'The cheapest bookable ones first',
    }),
  }),
)

export type RoomOffersVM = Static<typeof RoomOffersVM>

/** All rooms and rate plans of a hotel for one stay. Shared by all guests (D5). */
export const HotelOffersVM = named(
  'HotelOffers',
  Type.Object({
    sections: Type.Object({
      property: Section,
      /** Of `availability`, `rates`, `paymentMethods` and the offers of each room type. */
      prices: Section,
    }),
    degraded: Type.Boolean({ description: 'At least one section is stale or missing' }),
    propertyId: id('ppt'),
    tenantId: id('tnt'),
    timeZone: PropertySummaryVM.properties.timeZone,
    stay: Stay,
    occupancy: Occupancy,
    availability: Type.Optional(StayAvailabilityVM),
    rates: Type.Optional(RateCaptureVM),
    rooms: Type.Array(RoomOffersVM, { maxItems: 50 }),
    paymentMethods: Type.Optional(
      Type.Array(Type.Enum([...PAYMENT_METHODS]), {
        maxItems: 10,
        description: 'How guests can pay, in the order of the hotel',
      }),
    ),
    policies: HotelPoliciesVM,
    handoffHint: HotelDetailVM.properties.handoffHint,
  }),
)

export type HotelOffersVM = Static<typeof HotelOffersVM>
