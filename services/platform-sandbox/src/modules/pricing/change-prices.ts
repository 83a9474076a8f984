import { problem } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import { movePrice } from './engine/move-price.ts'
import { type PlanChange, type PriceChangeHost, publishRates } from './publish-rates.ts'
import type { RatePlanRow } from './rate-plan-sql.ts'

export interface PriceChange extends PlanChange {
  readonly basisPoints: number
}

/** Changes every price of a plan by the same percentage. */
export async function changePrices(host: PriceChangeHost, change: PriceChange): Promise<RatePlan> {
  return await publishRates(host, change, (row) => movedRates(row, change.basisPoints))
}

function movedRates(row: RatePlanRow, basisPoints: number): Record<string, string> {
  const entries = Object.entries(row.rates).map(([roomType, micro]) => {
    const moved = movePrice(BigInt(micro), basisPoints, row.currency)
    if (moved === null) throw outOfRange()
    return [roomType, moved.toString()] as const
  })
  return Object.fromEntries(entries)
}

function outOfRange() {
  const detail = 'a nightly price would be out of range'
  const errors = [{ pointer: '/basisPoints', code: 'range', detail }]
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
