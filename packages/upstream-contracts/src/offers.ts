import { type Static, Type } from 'typebox'
import {
  currency,
  id,
  instant,
  isoDate,
  LocalizedString,
  MicroMoney,
  Occupancy,
  Stay,
  text,
} from './schemas.ts'

/** The meals that a rate includes. */
export const BOARDS = ['room_only', 'breakfast', 'half_board', 'full_board'] as const

export const RATE_CATEGORIES = [
  'bar',
  'non-refundable',
  'weekly',
  'corporate',
  'government',
] as const

/**
 * Which currency a price is shown in. `user-preferred`: the requested one, converted if necessary.
 * `tenant`: that of the hotel, because no usable exchange rates were available. `fallback`: the
 * base of the exchange rates, because they do not include the requested one.
 */
export const DISPLAY_POLICIES = ['tenant', 'user-preferred', 'fallback'] as const

/**
 * Why a stay cannot be booked. Of an offer the first that applies in this order; of a hotel that of
 * the offer which comes closest, so the last in this order except `no_rate`.
 * `party_not_accepted`: a child is, or without an age may be, younger than the hotel accepts.
 * `sold_out`: no room of the type is left. `not_enough_rooms`: rooms are left, but fewer than
 * requested; all rooms of a stay are of one type.
 */
export const UNBOOKABLE_REASONS = [
  'closed',
  'party_not_accepted',
  'party_too_large',
  'sold_out',
  'not_enough_rooms',
  'closed_to_arrival',
  'closed_to_departure',
  'min_nights',
  'max_nights',
  'advance_days',
  'no_rate',
] as const

/** How guests can pay a hotel. */
export const PAYMENT_METHODS = ['card', 'cash_on_arrival', 'mobile_money'] as const

export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export type UnbookableReason = (typeof UNBOOKABLE_REASONS)[number]

/** When the guest pays: when booking, at the hotel, or as they choose. */
export const PAYMENT_TIMINGS = ['now', 'at_hotel', 'either'] as const

/**
 * The penalty is a share of the price, due from `freeUntilHours` before noon of the arrival day.
 */
export const CancellationTerms = Type.Object({
  kind: Type.Enum(['free', 'partial', 'none']),
  freeUntilHours: Type.Integer({ minimum: 0 }),
  penaltyBasisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
})

export type CancellationTerms = Static<typeof CancellationTerms>

export const digest = () => Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })

/** A tax or a fee of a stay. `included`: already part of the nightly prices, not added to them. */
export const Charge = Type.Object({
  kind: Type.Enum(['tax', 'fee']),
  code: text(40),
  label: LocalizedString,
  amount: MicroMoney,
  included: Type.Boolean(),
})

export type Charge = Static<typeof Charge>

/** What a price is the price of. */
export const OfferTerms = Type.Object({
  roomTypeId: id('rmt'),
  roomTypeName: LocalizedString,
  ratePlanId: id('rate'),
  ratePlanCode: text(20),
  ratePlanName: LocalizedString,
  category: Type.Enum([...RATE_CATEGORIES]),
  board: Type.Enum([...BOARDS]),
  cancellation: Type.Object({
    ...CancellationTerms.properties,
    /**
     * What a cancellation costs now: nothing, a part of the price or all of it. Not the kind of the
     * plan: a plan that is free until two days before arrival is `none` the day before.
     */
    kind: Type.Enum(['free', 'partial', 'none']),
    /** The last moment without a penalty; absent when it has passed or there is none. */
    freeUntil: Type.Optional(instant()),
  }),
  payment: Type.Object({
    timing: Type.Enum([...PAYMENT_TIMINGS]),
    /** The share of the total that is due when booking; the whole total for `now`. */
    depositBasisPoints: Type.Integer({ minimum: 0, maximum: 10_000 }),
  }),
})

export type OfferTerms = Static<typeof OfferTerms>

/**
 * The price of a bookable stay in one currency. A quote of the same room type and plan at the same
 * time has the same digest, and the same total in this currency.
 */
export const OfferPrice = Type.Object({
  /** One room in the cheapest night, before extras, fees and taxes. */
  cheapestNightly: MicroMoney,
  /** All rooms and nights: extras, discounts, fees and taxes included. */
  total: MicroMoney,
  charges: Type.Array(Charge, { maxItems: 20 }),
  digest: digest(),
  /** The fewest rooms of this type available in any night, at least the requested number. */
  roomsLeft: Type.Integer({ minimum: 1 }),
})

export type OfferPrice = Static<typeof OfferPrice>

/** One line of a price; those not `included` add up exactly to the total, in any currency. */
export const PriceLine = Type.Object({
  kind: Type.Enum(['night', 'extra', 'discount', 'promotion', 'fee', 'tax']),
  code: text(40),
  label: LocalizedString,
  night: Type.Optional(isoDate()),
  /** The number of rooms, guests or nights that the line counts. */
  quantity: Type.Integer({ minimum: 1 }),
  /** For the whole `quantity`; whole minor units, negative for discounts. */
  amount: MicroMoney,
  /** Already included in the nightly prices: shown, not added. */
  included: Type.Boolean(),
})

export type PriceLine = Static<typeof PriceLine>

/** An offer has a price if it is bookable, and a reason otherwise. */
export const StayOffer = Type.Object({
  ...OfferTerms.properties,
  price: Type.Optional(
    Type.Object({
      ...OfferPrice.properties,
      /** As those of a quote of this offer, in the same order. */
      lines: Type.Array(PriceLine, { minItems: 1, maxItems: 100 }),
    }),
  ),
  reason: Type.Optional(Type.Enum([...UNBOOKABLE_REASONS])),
  /** The shortest and longest stay that the plan allows. */
  minNights: Type.Integer({ minimum: 1 }),
  maxNights: Type.Integer({ minimum: 1 }),
  /** The fewest days from today to the arrival that the plan allows; 0 for any. */
  advanceDaysMin: Type.Integer({ minimum: 0 }),
})

export type StayOffer = Static<typeof StayOffer>

const Priced = {
  currencyDisplayPolicy: Type.Enum([...DISPLAY_POLICIES]),
  fxSnapshotId: Type.Optional(id('fxs')),
  /** The exchange rates are older than a day. */
  fxStale: Type.Optional(Type.Boolean()),
  capturedAt: instant(),
  validUntil: instant(),
}

export const OffersRequest = Type.Object({
  stay: Stay,
  occupancy: Occupancy,
  currency: currency(),
})

/** All room types of a hotel with all public plans, whether bookable or not. */
export const OffersResponse = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  timeZone: text(64),
  rooms: Type.Array(
    Type.Object({
      roomTypeId: id('rmt'),
      /** The fewest rooms available in any night of the stay. */
      roomsLeft: Type.Integer({ minimum: 0 }),
      /** The cheapest bookable ones first. */
      offers: Type.Array(StayOffer, { maxItems: 20 }),
    }),
    { maxItems: 50 },
  ),
  /** In the order of the hotel. */
  paymentMethods: Type.Array(Type.Enum([...PAYMENT_METHODS]), { maxItems: 10 }),
  ...Priced,
})

export type OffersResponse = Static<typeof OffersResponse>

export const CALENDAR_NIGHTS_MAX = 92

export const StayCalendarRequest = Type.Object({
  from: isoDate(),
  nights: Type.Integer({ minimum: 1, maximum: CALENDAR_NIGHTS_MAX }),
  occupancy: Occupancy,
  currency: currency(),
})

/** For each day of arrival the cheapest of the shortest stays that can be booked. */
export const StayCalendarResponse = Type.Object({
  propertyId: id('ppt'),
  tenantId: id('tnt'),
  days: Type.Array(
    Type.Object({
      date: isoDate(),
      /** Absent where no stay from this day on can be booked; `reason` says why. */
      cheapest: Type.Optional(
        Type.Object({
          /** The length of this stay: no shorter one can be booked. */
          nights: Type.Integer({ minimum: 1 }),
          cheapestNightly: MicroMoney,
          total: MicroMoney,
          roomTypeId: id('rmt'),
          ratePlanCode: text(20),
        }),
      ),
      reason: Type.Optional(Type.Enum([...UNBOOKABLE_REASONS])),
      /**
       * As `cheapest.nights`; without it the shortest stay that a plan allows from this day on.
       */
      minNights: Type.Optional(Type.Integer({ minimum: 1 })),
      /** Rooms of any type that fit the guests. */
      roomsLeft: Type.Integer({ minimum: 0 }),
    }),
    { maxItems: CALENDAR_NIGHTS_MAX },
  ),
  ...Priced,
})

export type StayCalendarResponse = Static<typeof StayCalendarResponse>
