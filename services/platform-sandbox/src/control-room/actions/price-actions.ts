import type { Tx } from '@melmastoon/chassis/db'
import { id } from '@melmastoon/upstream-contracts'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import { Type } from 'typebox'
import type { ControlRoom, Operator } from '../control-room.ts'
import { saveOriginalPrices, takeOriginalPrices } from '../control-room-sql.ts'
import { defineAction } from './action.ts'

const PRICE_MOVES = ['up', 'down', 'back'] as const

const TEN_PERCENT = 1_000
const BASIS_POINTS = { up: TEN_PERCENT, down: -TEN_PERCENT } as const

export const movePrices = defineAction({
  name: 'hotel.move-prices',
  path: '/tenants/:tenantId/properties/:propertyId/prices',
  summary: 'Raise or lower all prices of a hotel by ten percent, or restore the original prices',
  done: 'The prices of the hotel are published.',
  section: 'hotel',
  params: Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') }),
  body: Type.Object({ move: Type.Enum([...PRICE_MOVES]) }),
  async run(room, { params, body }, operator) {
    const { tenantId, propertyId } = params
    const plans = await room.modules.pricing.ratePlansOf(tenantId, propertyId)
    const moved = await room.db.withTenant(tenantId, async (tx) => {
      const changed: RatePlan[] = []
      for (const plan of plans)
        changed.push(await movePlan({ tx, room, operator }, plan, body.move))
      return changed
    })
    return { ratePlans: moved }
  },
})

interface PriceChangeDeps {
  readonly tx: Tx
  readonly room: ControlRoom
  readonly operator: Operator
}

async function movePlan(
  { tx, room, operator }: PriceChangeDeps,
  plan: RatePlan,
  move: (typeof PRICE_MOVES)[number],
): Promise<RatePlan> {
  const { tenantId, ratePlanId } = plan
  const { pricing } = room.modules
  const change = { tenantId, ratePlanId, cause: operator.causeFor(tenantId) }
  if (move !== 'back') {
    await tx.query(saveOriginalPrices(plan))
    return await pricing.changePrices(tx, { ...change, basisPoints: BASIS_POINTS[move] })
  }
  const [original] = await tx.query(takeOriginalPrices(ratePlanId))
  return original === undefined
    ? plan
    : await pricing.restorePrices(tx, { ...change, prices: original.value })
}
