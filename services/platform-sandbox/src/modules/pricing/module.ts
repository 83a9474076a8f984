import type { Queryable, Tx } from '@melmastoon/chassis/db'
import type { CurrencyCode, PropertyId, QuoteId, TenantId } from '@melmastoon/domain'
import { pricingContract, type Quote, type RatePlan } from '@melmastoon/upstream-contracts/pricing'
import type { ModuleHost, ServedModule } from '../../module.ts'
import type { TenantModule } from '../tenant/module.ts'
import { changePrices, type PriceChange } from './change-prices.ts'
import { createQuote } from './create-quote.ts'
import type { FxRates } from './engine/fx.ts'
import type { RateCard } from './engine/rate-card.ts'
import { findCheapestRates } from './find-cheapest-rates.ts'
import type { StockSource } from './offers/hotel-stock.ts'
import {
  type OfferedDays,
  type OfferedRooms,
  type OfferRequest,
  readOffers,
  readStayDays,
  type StayDaysRequest,
} from './offers/read-offers.ts'
import { previewPrices } from './preview-prices.ts'
import { RateBook } from './rate-book.ts'
import { listRatePlans } from './rate-plans.ts'
import { readCalendar } from './read-calendar.ts'
import { type CheapestNightly, readCheapest, readFxRates } from './read-cheapest.ts'
import { readLatestFx } from './read-fx.ts'
import { getQuote, quoteById } from './read-quotes.ts'
import { type Recheck, type RecheckRequest, recheckQuote } from './recheck-quote.ts'
import { type PriceRestoration, restorePrices } from './restore-prices.ts'
import { confirmPromotion, releasePromotion } from './take-promotion.ts'

export { type Display, displaysIn, minorConverter } from './display-price.ts'
export type { FxRates as ExchangeRates } from './engine/fx.ts'
export { minorUnitOf } from './engine/micro.ts'
export type { RateCard } from './engine/rate-card.ts'
export { partyOf } from './engine/stay-request.ts'
export { hotelDay } from './hotel-day.ts'
export { CheapestOffers } from './offers/cheapest-offers.ts'
export { type Unavailability, unavailabilityOf } from './offers/find-reason.ts'
export type { HotelStock, StockSource } from './offers/hotel-stock.ts'
export type { OfferedStay } from './offers/offered-stay.ts'
export type {
  OfferedDays,
  OfferedRooms,
  OfferRequest,
  StayDaysRequest,
} from './offers/read-offers.ts'
export { lowestNightly } from './read-cheapest.ts'
export { magicScenario, PRICING_MAGIC_CODES, PRICING_SCENARIOS } from './scenarios.ts'
/** The seeded plans; search uses the same prices. */
export { plansOf } from './seed/plans-of.ts'

export interface PricingModule extends ServedModule<typeof pricingContract.operations> {
  /**
   * A quote that can be booked now, in the caller's tenant transaction: throws
   * `PRICING.QUOTE_NOT_FOUND` or, by the database clock, `PRICING.QUOTE_EXPIRED`.
   */
  quoteById(tx: Queryable, quoteId: QuoteId): Promise<Quote>
  /**
   * In the transaction of a confirmation: makes the redemption of the quote permanent. Throws
   * `PRICING.PRICE_CHANGED` when it expired and none is left.
   */
  confirmPromotion(tx: Queryable, quoteId: QuoteId): Promise<void>
  /** Another quote replaces this one: its redemption is available to others again. */
  releasePromotion(tx: Queryable, quoteId: QuoteId): Promise<void>
  recheckQuote(request: RecheckRequest): Promise<Recheck>
  /** For ranking, not for display. */
  readCheapest(propertyId: PropertyId): Promise<CheapestNightly | null>
  /** Millionths of each currency per dollar, of any age: also for ranking. */
  readFxRates(): Promise<Readonly<Record<CurrencyCode, bigint>>>
  ratePlansOf(tenantId: TenantId, propertyId: PropertyId): Promise<readonly RatePlan[]>
  /** The exchange rates of the prices shown; null while there are none. */
  readExchange(): Promise<FxRates | null>
  /** The current rates of hotels, for an index of them; hotels without rates are omitted. */
  readRateCards(propertyIds: readonly PropertyId[]): Promise<readonly RateCard[]>
  readOffers(request: OfferRequest): Promise<OfferedRooms>
  readStayDays(request: StayDaysRequest): Promise<OfferedDays>
  /** The event is appended in the same transaction. */
  changePrices(tx: Tx, change: PriceChange): Promise<RatePlan>
  restorePrices(tx: Tx, change: PriceRestoration): Promise<RatePlan>
}

export interface PricingSiblings {
  readonly tenant: Pick<TenantModule, 'checkSelling'>
  readonly stock: StockSource
}

/** Prices of stays, and quotes that guarantee them for half an hour. */
export function createPricingModule(
  host: ModuleHost,
  { tenant, stock }: PricingSiblings,
): PricingModule {
  const { db, registry, errors } = host
  const book = new RateBook({ db, onError: errors.for('pricing', 'refresh-rates') })
  const change = (tx: Tx, requested: PriceChange) => changePrices({ tx, book, registry }, requested)
  return {
    contract: pricingContract,
    quoteById,
    confirmPromotion,
    releasePromotion,
    recheckQuote: (request) => recheckQuote({ db, book }, request),
    readCheapest: (propertyId) => readCheapest(book, propertyId),
    readFxRates: () => readFxRates(book),
    ratePlansOf: async (tenantId, propertyId) =>
      (await listRatePlans(db, tenantId, propertyId)).ratePlans,
    readExchange: async () => (await book.open([])).fx,
    readRateCards: (propertyIds) => book.read(propertyIds),
    readOffers: (request) => readOffers(book, request),
    readStayDays: (request) => readStayDays(book, request),
    changePrices: change,
    restorePrices: (tx, requested) => restorePrices({ tx, book, registry }, requested),
    handlers: {
      preview: (input, { scenario }) => previewPrices({ book, stock }, input, scenario),
      calendar: (input, { scenario }) => readCalendar({ book, stock }, input, scenario),
      listRatePlans: ({ query }, { tenantId }) => listRatePlans(db, tenantId, query.propertyId),
      cheapestRates: (input, call) => findCheapestRates(book, input, call),
      async createQuote({ body }, call) {
        await tenant.checkSelling(call.tenantId)
        return await db.withTenant(call.tenantId, async (tx) =>
          call.finish(tx, await createQuote({ tx, book }, body, call)),
        )
      },
      getQuote: ({ params }, { tenantId }) => getQuote(db, tenantId, params.quoteId),
      recheckQuote: ({ params }, { tenantId, scenario }) =>
        recheckQuote({ db, book }, { ...params, tenantId, scenario }),
      changePrices: ({ params, body }, call) => {
        const { tenantId, cause } = call
        return db.withTenant(tenantId, async (tx) =>
          call.finish(tx, await change(tx, { ...params, ...body, tenantId, cause })),
        )
      },
      latestFx: (_, { scenario }) => readLatestFx(book, scenario),
    },
  }
}
