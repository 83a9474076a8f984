import { CURRENCY_CODES, type CurrencyCode, type PropertyId } from '@melmastoon/domain'
import type { Micro } from './engine/micro.ts'
import { isPublic, type RateCard } from './engine/rate-card.ts'
import { REFERENCE_FX } from './fx-reference.ts'
import type { RateBook } from './rate-book.ts'

export interface CheapestNightly {
  readonly amountMicro: Micro
  readonly currency: CurrencyCode
}

/**
 * The lowest published nightly price of a hotel, for an ordinary night and without restrictions:
 * for sorting and price bands, not for display.
 */
export async function readCheapest(
  book: RateBook,
  propertyId: PropertyId,
): Promise<CheapestNightly | null> {
  const { cards } = await book.open([propertyId])
  const card = cards.get(propertyId)
  const amountMicro = card && lowestNightly(card)
  return card && amountMicro ? { amountMicro, currency: card.currency } : null
}

/** For the same purpose, rates of any age: millionths of each currency per dollar. */
export async function readFxRates(book: RateBook): Promise<Readonly<Record<CurrencyCode, bigint>>> {
  const { fx } = await book.open([])
  const rates = CURRENCY_CODES.map((code) => [code, fx?.rates.get(code) ?? REFERENCE_FX[code]])
  return Object.fromEntries(rates) as Record<CurrencyCode, bigint>
}

/** Of all public plans. */
export function lowestNightly({ plans }: RateCard): Micro | null {
  let lowest: Micro | null = null
  for (const plan of plans.filter(isPublic)) {
    for (const price of plan.nightly.values()) {
      if (lowest === null || price < lowest) lowest = price
    }
  }
  return lowest
}
