import type { Money } from '@melmastoon/domain'
import { currency, named } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

const Amount = Type.Object({
  amountMinor: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: currency(),
})

/** The price that a guest has seen before, in a search or in a handoff. */
export const ShownPrice = Type.Object(
  {
    digest: Type.Optional(Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })),
    price: Type.Optional(Amount),
  },
  { description: 'The price that was shown before, to be compared' },
)

export type ShownPrice = Static<typeof ShownPrice>

/** Whether the price is still the one that was shown. */
export const PriceComparison = named(
  'PriceComparison',
  Type.Object({
    outcome: Type.Enum(['matched', 'changed', 'gone']),
    shown: Type.Optional(Amount),
    current: Type.Optional(Amount),
    difference: Type.Optional(
      Type.Object(
        { amountMinor: Type.Integer(), currency: currency() },
        { description: '`current` minus `shown`; absent for different currencies' },
      ),
    ),
  }),
)

export type PriceComparison = Static<typeof PriceComparison>

/** The offer as it is now. */
export interface CurrentOffer {
  readonly digest: string
  /** In the currencies in which it is known, that of the display first. */
  readonly prices: readonly Money[]
}

/**
 * Undefined when there is nothing to compare: neither a digest nor a price in a currency of the
 * offer. An equal digest means equal conditions too, so it decides before the amounts.
 * @param current null when the offer no longer exists.
 */
export function comparePrice(
  shown: ShownPrice,
  current: CurrentOffer | null,
): PriceComparison | undefined {
  const { digest, price } = shown
  if (digest === undefined && price === undefined) return undefined
  if (current === null) return { outcome: 'gone', ...(price && { shown: price }) }
  const same = current.prices.find((each) => each.currency === price?.currency)
  const amounts = { ...(price && { shown: price }), ...(same && { current: copy(same) }) }
  if (digest === current.digest) return { outcome: 'matched', ...amounts }
  if (price === undefined || same === undefined) {
    return digest === undefined ? undefined : { outcome: 'changed', ...amounts }
  }
  const amountMinor = same.amountMinor - price.amountMinor
  const isEqual = amountMinor === 0 && digest === undefined
  const difference = { amountMinor, currency: price.currency }
  return { outcome: isEqual ? 'matched' : 'changed', ...amounts, difference }
}

function copy({ amountMinor, currency }: Money): Static<typeof Amount> {
  return { amountMinor, currency }
}
