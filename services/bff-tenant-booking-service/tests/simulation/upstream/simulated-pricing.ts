import { hash } from 'node:crypto'
import type { Clock } from '@melmastoon/chassis/clock'
import {
  type CurrencyCode,
  nightsBetween,
  type PropertyId,
  problem,
  type QuoteId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { pricingContract, Quote } from '@melmastoon/upstream-contracts/pricing'
import type { NewId } from './simulated-ids.ts'

type Operations = typeof pricingContract.operations

const QUOTE_MS = 30 * 60_000

interface PriceList {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly currency: CurrencyCode
  /** Of one room and night; null: no rate. */
  nightMicro: bigint | null
}

/**
 * One price per hotel instead of the rates of the sandbox: the booking service only compares
 * digests and amounts, and never calculates them.
 */
export class SimulatedPricing {
  readonly #clock: Clock
  readonly #newId: NewId
  readonly #lists: PriceList[] = []
  readonly #quotes = new Map<QuoteId, Quote>()

  constructor(clock: Clock, newId: NewId) {
    this.#clock = clock
    this.#newId = newId
  }

  addHotel(list: PriceList): void {
    this.#lists.push(list)
  }

  /** A changed price, or no rate any more. */
  changePrice(propertyId: PropertyId, nightMicro: bigint | null): void {
    const list = this.#lists.find((other) => other.propertyId === propertyId)
    if (list !== undefined) list.nightMicro = nightMicro
  }

  /** A quote that another implementation has calculated. */
  adopt(quote: Quote): void {
    this.#quotes.set(quote.quoteId, quote)
  }

  /** Throws `QUOTE_NOT_FOUND` or `QUOTE_EXPIRED`. */
  bookable(tenantId: TenantId, quoteId: QuoteId): Quote {
    const quote = this.find(tenantId, quoteId)
    if (Date.parse(quote.expiresAt) > this.#clock.nowMs()) return quote
    throw problem('MELMASTOON.PRICING.QUOTE_EXPIRED')
  }

  find(tenantId: TenantId, quoteId: QuoteId): Quote {
    const quote = this.#quotes.get(quoteId)
    if (quote?.tenantId === tenantId) return quote
    throw problem('MELMASTOON.PRICING.QUOTE_NOT_FOUND')
  }

  create(tenantId: TenantId, { body }: InputOf<Operations['createQuote']>): Quote {
    const { propertyId, stay, occupancy, rooms } = body
    const nowMs = this.#clock.nowMs()
    const offer = this.#price({ tenantId, propertyId, stay, rooms })
    if (offer === null) throw problem('MELMASTOON.PRICING.NO_RATE')
    const quote: Quote = {
      quoteId: this.#newId('qte'),
      tenantId,
      propertyId,
      ratePlanId: this.#newId('rate'),
      ratePlanCode: body.ratePlanCode ?? 'BAR',
      ratePlanVersion: 1,
      stay,
      occupancy,
      rooms,
      lines: [],
      ...offer,
      cancellation: { kind: 'free', freeUntilHours: 24, penaltyBasisPoints: 0 },
      createdAt: toIsoDateTime(new Date(nowMs)),
      expiresAt: toIsoDateTime(new Date(nowMs + QUOTE_MS)),
    }
    this.#quotes.set(quote.quoteId, quote)
    return quote
  }

  recheck(tenantId: TenantId, quoteId: QuoteId): OutputOf<Operations['recheckQuote']> {
    const quote = this.find(tenantId, quoteId)
    const checkedAt = toIsoDateTime(this.#clock.now())
    const offer = this.#price(quote)
    if (offer === null) return { outcome: 'gone', quoted: quote.total, checkedAt }
    return {
      outcome: offer.digest === quote.digest ? 'matched' : 'changed',
      quoted: quote.total,
      current: offer.total,
      currentDigest: offer.digest,
      checkedAt,
    }
  }

  #price({
    tenantId,
    propertyId,
    stay,
    rooms,
  }: Pick<Quote, 'tenantId' | 'propertyId' | 'stay' | 'rooms'>): Pick<
    Quote,
    'total' | 'digest'
  > | null {
    const list = this.#lists.find(
      (other) => other.tenantId === tenantId && other.propertyId === propertyId,
    )
    if (list === undefined || list.nightMicro === null) return null
    const quantity = rooms.reduce((sum, room) => sum + room.quantity, 0)
    const amountMicro = String(list.nightMicro * BigInt(nightsBetween(stay) * quantity))
    const total = { amountMicro, currency: list.currency }
    const terms = JSON.stringify([propertyId, stay, rooms, total])
    return { total, digest: `sha256:${hash('sha256', terms, 'hex')}` }
  }
}
