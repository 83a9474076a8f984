import { idToUuid } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import { type PlanChange, type PriceChangeHost, publishRates } from './publish-rates.ts'

export interface PriceRestoration extends PlanChange {
  /** As a plan had them before; rooms that it has no more are left out. */
  readonly prices: RatePlan['prices']
}

/** Back to prices of before, to the last digit, which no share would bring back. */
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
