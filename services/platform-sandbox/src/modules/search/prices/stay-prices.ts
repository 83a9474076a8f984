import {
  CheapestOffers,
  hotelDay,
  type OfferedStay,
  type Unavailability,
  unavailabilityOf,
} from '../../pricing/module.ts'
import type { ListingIndex } from '../index/listing-index.ts'

const MINUTE_MS = 60_000
/** Pages of one search, its map and its facets share an entry. */
const STAYS_MAX = 16
const UNKNOWN = 0
/** Not bookable. */
const NONE = -1

/**
 * The shown offer of every listing for one stay, computed when needed and again after a change of
 * the listing. Former versions have positions of their own, like in the columns.
 */
export class StayPrices {
  readonly #index: ListingIndex
  readonly #stay: OfferedStay
  readonly #offers: CheapestOffers
  readonly #nowMs: number
  #stamps = new Int32Array(0)
  #totals = new Float64Array(0)
  #nights = new Float64Array(0)

  constructor(index: ListingIndex, stay: OfferedStay, nowMs: number) {
    this.#index = index
    this.#stay = stay
    this.#offers = new CheapestOffers(stay)
    this.#nowMs = nowMs
  }

  /** In minor units of the hotel; negative where nothing can be booked. */
  totalOf(row: number): number {
    this.#know(row)
    return this.#totals[row] ?? NONE
  }

  /** One room in the cheapest night of the same offer. */
  cheapestNightOf(row: number): number {
    this.#know(row)
    return this.#nights[row] ?? NONE
  }

  /** Why nothing can be booked; for listings without a total. */
  unavailabilityOf(row: number): Unavailability {
    const card = this.#index.rateCards[row]
    const stock = this.#index.stocks[row]
    if (card === undefined || stock === undefined) return { reason: 'no_rate' }
    return unavailabilityOf(card, stock, { stay: this.#stay, time: this.#timeAt(card) })
  }

  #know(row: number): void {
    const stamp = this.#index.columns.offerStamp[row] ?? UNKNOWN
    if (row < this.#stamps.length && this.#stamps[row] === stamp) return
    if (row >= this.#stamps.length) this.#grow()
    this.#stamps[row] = stamp
    this.#totals[row] = NONE
    this.#nights[row] = NONE
    this.#find(row)
  }

  #find(row: number): void {
    const { rateCards, stocks } = this.#index
    const card = rateCards[row]
    const stock = stocks[row]
    if (card === undefined || stock === undefined) return
    const time = this.#timeAt(card)
    const offer = this.#offers.find(card, stock, time)
    if (offer === null) return
    this.#totals[row] = offer.totalMinor
    this.#nights[row] = this.#offers.cheapestNightOf(card, offer, time)
  }

  #timeAt({ timeZone }: { readonly timeZone: string }) {
    return { today: hotelDay(timeZone, this.#nowMs), nowMs: this.#nowMs }
  }

  #grow(): void {
    const { capacity } = this.#index.columns
    const [stamps, totals, nights] = [this.#stamps, this.#totals, this.#nights]
    this.#stamps = new Int32Array(capacity)
    this.#totals = new Float64Array(capacity)
    this.#nights = new Float64Array(capacity)
    this.#stamps.set(stamps)
    this.#totals.set(totals)
    this.#nights.set(nights)
  }
}

const known = new WeakMap<ListingIndex, Map<string, StayPrices>>()

/**
 * Within a minute nothing else changes the prices: hotels change their date, and cancellation
 * ceases to be free, on full minutes.
 */
export function stayPrices(index: ListingIndex, stay: OfferedStay, nowMs: number): StayPrices {
  const stays = known.get(index) ?? new Map<string, StayPrices>()
  known.set(index, stays)
  const key = JSON.stringify([stay, Math.floor(nowMs / MINUTE_MS)])
  const prices = stays.get(key) ?? new StayPrices(index, stay, nowMs)
  stays.delete(key)
  stays.set(key, prices)
  const [oldest] = stays.keys()
  if (stays.size > STAYS_MAX && oldest !== undefined) stays.delete(oldest)
  return prices
}
