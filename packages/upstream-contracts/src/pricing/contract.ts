import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import {
  BOARDS,
  CancellationTerms,
  DISPLAY_POLICIES,
  digest,
  OfferPrice,
  OfferTerms,
  PriceLine,
  RATE_CATEGORIES,
  UNBOOKABLE_REASONS,
} from '../offers.ts'
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
} from '../schemas.ts'

export { BOARDS, CancellationTerms, DISPLAY_POLICIES } from '../offers.ts'

export const Preview = Type.Object({
  propertyId: id('ppt'),
  /** `unavailable`: the stay cannot be booked, for the reason given. */
  status: Type.Enum(['priced', 'unavailable']),
  reason: Type.Optional(Type.Enum([...UNBOOKABLE_REASONS])),
  /** With `not_enough_rooms`: the most rooms of one type that are left in every night. */
  roomsLeft: Type.Optional(Type.Integer({ minimum: 1 })),
  /** The shown offer: the cheapest that can be booked with the requested terms. */
  offer: Type.Optional(Type.Object({ ...OfferTerms.properties, price: OfferPrice })),
  /** One room in the cheapest night of the chosen offer, before extras, fees and taxes. */
  cheapestNightly: Type.Optional(MicroMoney),
  /**
   * The total for all rooms and nights: extras, discounts, fees and taxes included. A quote of the
   * same plan and room type at the same time has exactly this total.
   */
  totalForStay: Type.Optional(MicroMoney),
  ratePlanCode: Type.Optional(text(20)),
  roomTypeId: Type.Optional(id('rmt')),
  currencyDisplayPolicy: Type.Optional(Type.Enum([...DISPLAY_POLICIES])),
  fxSnapshotId: Type.Optional(id('fxs')),
  /** The exchange rates are older than a day. */
  fxStale: Type.Optional(Type.Boolean()),
})

export const QuoteLine = Type.Object({
  ...PriceLine.properties,
  roomTypeId: Type.Optional(id('rmt')),
})

export const FxSnapshot = Type.Object({
  fxSnapshotId: id('fxs'),
  base: currency(),
  /** Units of the currency for one unit of the base, in millionths. */
  rates: Type.Record(Type.String(), Type.String({ pattern: '^\\d{1,19}$' })),
  takenAt: instant(),
  staleAfter: instant(),
  /** After this time nothing is converted. */
  hardExpireAt: instant(),
  /** `staleAfter` has passed. */
  stale: Type.Boolean(),
  source: text(40),
})

/** The quantities add up to the rooms of the occupancy. */
const RoomsAsked = Type.Array(
  Type.Object({ roomTypeId: id('rmt'), quantity: Type.Integer({ minimum: 1, maximum: 10 }) }),
  { minItems: 1, maxItems: 10 },
)

export const Quote = Type.Object({
  quoteId: id('qte'),
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  ratePlanId: id('rate'),
  ratePlanCode: text(20),
  ratePlanVersion: Type.Integer({ minimum: 1 }),
  stay: Stay,
  occupancy: Occupancy,
  rooms: RoomsAsked,
  promoCode: Type.Optional(text(40)),
  lines: Type.Array(QuoteLine, { maxItems: 2_000 }),
  /**
   * The sum of the lines not `included`, in the currency of the plan: the amount owed to the hotel.
   */
  total: MicroMoney,
  /** `total` converted once, half to even, where the guest requested another currency. */
  displayTotal: Type.Optional(MicroMoney),
  fxSnapshot: Type.Optional(FxSnapshot),
  cancellation: CancellationTerms,
  /** Of the hotel: the hours of the cancellation terms are counted by its clocks. */
  timeZone: Type.Optional(text(64)),
  ratePlanName: Type.Optional(LocalizedString),
  board: Type.Optional(Type.Enum([...BOARDS])),
  /**
   * SHA-256 of the items, their terms and every line. The order of the rooms, the exchange rates
   * and the time are not part of it: an unchanged offer has an unchanged digest.
   */
  digest: digest(),
  createdAt: instant(),
  expiresAt: instant(),
})

export type Quote = Static<typeof Quote>

export const RatePlan = Type.Object({
  ratePlanId: id('rate'),
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  code: text(20),
  name: LocalizedString,
  category: Type.Enum([...RATE_CATEGORIES]),
  currency: currency(),
  status: Type.Enum(['draft', 'published', 'archived']),
  version: Type.Integer({ minimum: 1 }),
  restrictions: Type.Object({
    minNights: Type.Integer({ minimum: 1 }),
    maxNights: Type.Integer({ minimum: 1 }),
    advanceDaysMin: Type.Integer({ minimum: 0 }),
    closedToArrival: Type.Array(isoDate(), { maxItems: 400 }),
    closedToDeparture: Type.Array(isoDate(), { maxItems: 400 }),
  }),
  prices: Type.Array(Type.Object({ roomTypeId: id('rmt'), nightly: MicroMoney }), { maxItems: 50 }),
})

export type RatePlan = Static<typeof RatePlan>

export const pricingContract = defineContract({
  upstream: 'pricing',
  basePath: '/api/v1',
  operations: {
    preview: {
      method: 'POST',
      path: '/pricing/quotes/preview',
      summary: 'Preview the cheapest price of up to fifty hotels for one stay; stores nothing',
      body: Type.Object({
        propertyIds: Type.Array(id('ppt'), { minItems: 1, maxItems: 50 }),
        stay: Stay,
        occupancy: Occupancy,
        currency: currency(),
        /**
         * `free`: only offers that can be cancelled free of charge now. `partial`: also those whose
         * penalty is less than the price now.
         */
        cancellationFlexibility: Type.Optional(Type.Enum(['free', 'partial', 'any'])),
      }),
      response: Type.Object({
        previews: Type.Array(Preview, { maxItems: 50 }),
        capturedAt: instant(),
        validUntil: instant(),
      }),
      errorCodes: ['MELMASTOON.PRICING.STAY_INVALID'],
    },
    calendar: {
      method: 'GET',
      path: '/pricing/properties/:propertyId/calendar',
      summary: 'List the cheapest one-night price per date that can be booked; stores nothing',
      params: Type.Object({ propertyId: id('ppt') }),
      query: Type.Object({
        from: isoDate(),
        nights: Type.Integer({ minimum: 1, maximum: 62 }),
        currency: currency(),
      }),
      response: Type.Object({
        propertyId: id('ppt'),
        /** Before fees and taxes; in the hotel's currency when no usable exchange rates exist. */
        days: Type.Array(Type.Object({ date: isoDate(), cheapest: Type.Optional(MicroMoney) })),
        fxSnapshotId: Type.Optional(id('fxs')),
        capturedAt: instant(),
      }),
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.PRICING.STAY_INVALID'],
    },
    listRatePlans: {
      method: 'GET',
      path: '/pricing/rate-plans',
      summary: 'List the rate plans of a hotel',
      query: Type.Object({ propertyId: id('ppt') }),
      response: Type.Object({ ratePlans: Type.Array(RatePlan) }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    cheapestRates: {
      method: 'POST',
      path: '/pricing/rates/cheapest',
      summary:
        'List the cheapest, or all, available rates per room type for one stay; stores nothing',
      body: Type.Object({
        propertyId: id('ppt'),
        stay: Stay,
        occupancy: Occupancy,
        currency: currency(),
        /** `all`: one rate per room type and public plan, the cheapest of a room type first. */
        plans: Type.Optional(Type.Enum(['cheapest', 'all'])),
      }),
      response: Type.Object({
        rates: Type.Array(
          Type.Object({
            roomTypeId: id('rmt'),
            ratePlanId: id('rate'),
            ratePlanCode: text(20),
            ratePlanName: LocalizedString,
            category: Type.Enum([...RATE_CATEGORIES]),
            board: Type.Enum([...BOARDS]),
            cancellation: CancellationTerms,
            /** That of a quote of this rate at the same time. */
            digest: digest(),
            /** As `cheapestNightly` and `totalForStay` of a preview. */
            nightly: MicroMoney,
            total: MicroMoney,
          }),
        ),
        fxSnapshotId: Type.Optional(id('fxs')),
        capturedAt: instant(),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND', 'MELMASTOON.PRICING.STAY_INVALID'],
    },
    createQuote: {
      method: 'POST',
      path: '/pricing/quotes',
      summary: 'Create a quote: a price that is guaranteed for thirty minutes',
      status: 201,
      body: Type.Object({
        propertyId: id('ppt'),
        /** By default the cheapest public plan that allows the stay. */
        ratePlanCode: Type.Optional(text(20)),
        rooms: RoomsAsked,
        stay: Stay,
        occupancy: Occupancy,
        displayCurrency: Type.Optional(currency()),
        /**
         * The quote uses one redemption of the promotion, until its longest possible hold would
         * have ended, or permanently once a booking is confirmed; later confirmation needs a
         * remaining redemption.
         */
        promoCode: Type.Optional(text(40)),
      }),
      response: Quote,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.TENANT.SUSPENDED',
        'MELMASTOON.PROPERTY.NOT_FOUND',
        'MELMASTOON.PRICING.STAY_INVALID',
        'MELMASTOON.PRICING.NO_RATE',
        'MELMASTOON.PRICING.RESTRICTED',
        'MELMASTOON.PRICING.PROMOTION_REFUSED',
        'MELMASTOON.PRICING.FX_SNAPSHOT_STALE',
      ],
    },
    getQuote: {
      method: 'GET',
      path: '/pricing/quotes/:quoteId',
      summary: 'Get a quote as created, also after it has expired',
      params: Type.Object({ quoteId: id('qte') }),
      response: Quote,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PRICING.QUOTE_NOT_FOUND'],
    },
    recheckQuote: {
      method: 'GET',
      path: '/pricing/quotes/:quoteId/recheck',
      summary: 'Compare a quote with the current price',
      params: Type.Object({ quoteId: id('qte') }),
      response: Type.Object({
        outcome: Type.Enum(['matched', 'changed', 'gone']),
        quoted: MicroMoney,
        current: Type.Optional(MicroMoney),
        currentDigest: Type.Optional(text(80)),
        checkedAt: instant(),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PRICING.QUOTE_NOT_FOUND'],
    },
    changePrices: {
      method: 'POST',
      path: '/pricing/rate-plans/:ratePlanId/prices',
      summary: 'Change all prices of a plan by a percentage and publish them',
      params: Type.Object({ ratePlanId: id('rate') }),
      body: Type.Object({ basisPoints: Type.Integer({ minimum: -9_000, maximum: 90_000 }) }),
      response: RatePlan,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.PRICING.RATE_PLAN_NOT_FOUND'],
    },
    latestFx: {
      method: 'GET',
      path: '/pricing/fx-snapshots/latest',
      summary: 'Get the current exchange rates',
      response: FxSnapshot,
      errorCodes: ['MELMASTOON.PRICING.FX_SNAPSHOT_STALE'],
    },
  },
})
