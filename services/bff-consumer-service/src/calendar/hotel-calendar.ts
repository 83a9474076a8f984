import { Section } from '@melmastoon/bff/sections'
import { described, id, isoDate, named, Occupancy } from '@melmastoon/upstream-contracts'
import { CALENDAR_NIGHTS_MAX } from '@melmastoon/upstream-contracts/offers'
import { type Static, Type } from 'typebox'
import { OFFER_TERMS, StayAvailabilityVM } from '../rates/offer-terms.ts'
import { RATE_AMOUNTS, RateCaptureVM } from '../rates/rate-snapshot.ts'

const { roomTypeId, ratePlanCode } = OFFER_TERMS

const CalendarDayVM = named(
  'CalendarDay',
  Type.Object({
    date: described(isoDate(), 'The day of arrival at the hotel'),
    availability: StayAvailabilityVM,
    minNights: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The shortest stay that can be booked from this day on, with a departure on a day that ' +
          'allows it; where none can be booked, the shortest that the rates allow, or absent',
      }),
    ),
    roomsLeft: Type.Integer({
      minimum: 0,
      description: 'Rooms of any type that fit the guests in this night',
    }),
    cheapest: Type.Optional(
      named(
        'CalendarPrice',
        Type.Object(
          {
            nights: Type.Integer({ minimum: 1, description: 'The length of the priced stay' }),
            ...RATE_AMOUNTS,
            roomTypeId,
            ratePlanCode,
          },
          { description: 'The cheapest stay of `minNights` nights; absent unless bookable' },
        ),
      ),
    ),
  }),
)

export type CalendarDayVM = Static<typeof CalendarDayVM>

/** The cheapest bookable stay per day of arrival, for a party. Shared by all guests (D5). */
export const HotelCalendarVM = named(
  'HotelCalendar',
  Type.Object({
    sections: Type.Object({ prices: Section }),
    degraded: Type.Boolean({ description: 'The prices are stale or missing' }),
    propertyId: id('ppt'),
    from: isoDate(),
    occupancy: Occupancy,
    rates: Type.Optional(RateCaptureVM),
    days: Type.Array(CalendarDayVM, {
      maxItems: CALENDAR_NIGHTS_MAX,
      description: 'One for each day; empty while prices are missing',
    }),
  }),
)

export type HotelCalendarVM = Static<typeof HotelCalendarVM>
