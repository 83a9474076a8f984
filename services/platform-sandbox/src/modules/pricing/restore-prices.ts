import { idToUuid } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import { type PlanChange, type PriceChangeHost, publishRates } from './publish-rates.ts'

export interface PriceRestoration extends PlanChange {
  /** The previous prices of a plan; rooms that no longer exist are omitted. */
  readonly prices: RatePlan['prices']
}

/** Restores exact previous prices, which a percentage change could not. */
export async function restorePrices(
  host: PriceChangeHost,
  change: PriceRestoration,
): Promise<RatePlan> {
  const before = new Map(
    change.prices.map(({ roomTypeId, nightly }) => [idToUuid(roomTypeId), nightly.amountMicro]),
  )
  return await publishRates(host, change, ({ rates }) =>
    Object.fromEntries(
      Object.entries(rates).map(([roomType, micro]) => [roomType, before.get(roomType) ?? micro]),
    ),
  )
}
