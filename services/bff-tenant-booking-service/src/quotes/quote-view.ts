import { Occupancy } from '@melmastoon/bff/stays'
import type { IsoDate, RoomTypeId } from '@melmastoon/domain'
import { currency, id, instant, isoDate, named, Stay, text } from '@melmastoon/upstream-contracts'
import { BOARDS, QuoteLine } from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'
import { MoneyVM } from '../availability/availability-view.ts'
import { CancellationVM } from '../properties/cancellation-terms.ts'
import { PriceComparison, ShownPrice } from './compare-price.ts'

const RoomsAsked = Type.Array(
  Type.Object({ roomTypeId: id('rmt'), quantity: Type.Integer({ minimum: 1, maximum: 10 }) }),
  { minItems: 1, maxItems: 10, description: 'The quantities add up to the rooms of the occupancy' },
)

export const QuoteBody = named(
  'QuoteRequest',
  Type.Object({
    propertyId: Type.Optional(
      Type.Unsafe<Static<ReturnType<typeof id<'ppt'>>>>({
        ...id('ppt'),
        description: 'May be omitted where the site has one hotel',
      }),
    ),
    stay: Stay,
    occupancy: Occupancy,
    rooms: RoomsAsked,
    ratePlanCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 20, description: 'By default the cheapest' }),
    ),
    promoCode: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,32}$', description: 'As the guest entered it' }),
    ),
    shown: Type.Optional(ShownPrice),
  }),
  {
    stay: { checkIn: '2026-05-20' as IsoDate, checkOut: '2026-05-22' as IsoDate },
    occupancy: { adults: 2, children: 0, rooms: 1 },
    rooms: [{ roomTypeId: 'rmt_01JGFJJZ00M8K2Q4T6V8X0Z2A0' as RoomTypeId, quantity: 1 }],
    ratePlanCode: 'BAR',
  },
)

export type QuoteBody = Static<typeof QuoteBody>

/** A price with everything it consists of and its conditions, guaranteed until `expiresAt`. */
export const QuoteVM = named(
  'Quote',
  Type.Object({
    quoteId: id('qte'),
    propertyId: id('ppt'),
    propertyName: Type.String(),
    stay: Type.Object({ checkIn: isoDate(), checkOut: isoDate(), nights: Type.Integer() }),
    timeZone: Type.String({ description: 'Of the hotel' }),
    occupancy: Occupancy,
    rooms: Type.Array(
      Type.Object({ roomTypeId: id('rmt'), name: Type.String(), quantity: Type.Integer() }),
    ),
    ratePlanId: id('rate'),
    ratePlanCode: text(20),
    ratePlanName: Type.String(),
    board: Type.Enum([...BOARDS]),
    promoCode: Type.Optional(Type.String()),
    lines: Type.Array(
      Type.Object({
        kind: QuoteLine.properties.kind,
        code: Type.String(),
        label: Type.String(),
        roomTypeId: Type.Optional(id('rmt')),
        night: Type.Optional(isoDate()),
        quantity: Type.Integer(),
        amount: MoneyVM,
        included: Type.Boolean({ description: 'Part of the nightly prices: shown, not added' }),
      }),
    ),
    total: Type.Object(
      { ...MoneyVM.properties },
      { description: "In the hotel's currency: the amount to pay, taxes and fees included" },
    ),
    displayTotal: Type.Optional(MoneyVM),
    currency: Type.Object({
      charged: currency(),
      shown: currency(),
      converted: Type.Boolean(),
      explanationKey: Type.Enum(['quote.currency.same', 'quote.currency.converted'], {
        description: 'The text that explains in which currency the guest pays',
      }),
      fxSnapshotId: Type.Optional(id('fxs')),
      ratesTakenAt: Type.Optional(instant()),
      isStale: Type.Optional(Type.Boolean({ description: 'The exchange rates are a day old' })),
    }),
    taxesIncluded: Type.Boolean(),
    feesIncluded: Type.Boolean(),
    cancellation: CancellationVM,
    digest: Type.String({ description: 'Identifies the price and its conditions' }),
    createdAt: instant(),
    expiresAt: instant(),
    priceComparison: Type.Optional(PriceComparison),
  }),
)

export type QuoteVM = Static<typeof QuoteVM>
