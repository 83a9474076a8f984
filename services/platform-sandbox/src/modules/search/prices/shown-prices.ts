import { CURRENCY_CODES, type CurrencyCode } from '@melmastoon/domain'
import {
  type Display,
  displaysIn,
  type ExchangeRates,
  minorConverter,
  type Unavailability,
} from '../../pricing/module.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import type { FxRates } from '../search-sources.ts'
import type { StayPrices } from './stay-prices.ts'

export interface ShownPrice {
  readonly totalMinor: number
  readonly cheapestNightMinor: number
  readonly currency: CurrencyCode
}

/** The prices that a preview of the same stay would show, in one currency. */
export class ShownPrices {
  readonly #index: ListingIndex
  readonly #findPrices: () => StayPrices
  #known: StayPrices | undefined
  readonly #requested: CurrencyCode
  readonly #displayOf: (own: CurrencyCode) => Display
  readonly #comparers = new Map<CurrencyCode, (ownMinor: number) => number>()

  /** `prices` is called when the first price is needed: most searches need none. */
  constructor(index: ListingIndex, prices: () => StayPrices, shown: ShownIn) {
    this.#index = index
    this.#findPrices = prices
    this.#requested = shown.currency
    this.#displayOf = displaysIn(shown.currency, { fx: index.exchange, nowMs: shown.nowMs })
  }

  get #prices(): StayPrices {
    this.#known ??= this.#findPrices()
    return this.#known
  }

  isBookable(row: number): boolean {
    return this.#prices.totalOf(row) >= 0
  }

  /** Null where nothing can be booked. In the currency of the hotel if no rates are valid. */
  priceOf(row: number): ShownPrice | null {
    const own = this.#index.rateCards[row]?.currency
    if (own === undefined || !this.isBookable(row)) return null
    const display = this.#displayOf(own)
    return {
      totalMinor: display.showMinor(this.#prices.totalOf(row)),
      cheapestNightMinor: display.showMinor(this.#prices.cheapestNightOf(row)),
      currency: display.currency,
    }
  }

  /** Why nothing can be booked; for listings without a price. */
  unavailabilityOf(row: number): Unavailability {
    return this.#prices.unavailabilityOf(row)
  }

  /** The shown total as a number that orders all listings; null where nothing can be booked. */
  orderOf(row: number): number | null {
    const own = this.#index.rateCards[row]?.currency
    if (own === undefined || !this.isBookable(row)) return null
    return this.#comparerOf(own)(this.#prices.totalOf(row))
  }

  /** Prices shown in different currencies are compared by exchange rates of any age. */
  #comparerOf(own: CurrencyCode): (ownMinor: number) => number {
    const comparer = this.#comparers.get(own) ?? this.#createComparer(own)
    this.#comparers.set(own, comparer)
    return comparer
  }

  #createComparer(own: CurrencyCode): (ownMinor: number) => number {
    const display = this.#displayOf(own)
    if (display.currency === this.#requested) return (minor) => display.showMinor(minor)
    return minorConverter({ rates: ratesOf(this.#index.rates) }, own, this.#requested)
  }
}

interface ShownIn {
  readonly currency: CurrencyCode
  readonly nowMs: number
}

function ratesOf(rates: FxRates): ExchangeRates['rates'] {
  return new Map(CURRENCY_CODES.map((code) => [code, rates[code]]))
}
