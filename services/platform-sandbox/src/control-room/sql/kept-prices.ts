import { type Statement, sql } from '@melmastoon/chassis/db'
import type { RatePlanId } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'

const nameOf = (ratePlanId: RatePlanId) => `prices:${ratePlanId}`

/** Only before the first move: what came later is not what they were. */
export function keepPrices({ ratePlanId, prices }: RatePlan): Statement<unknown> {
  return sql`
    insert into sandbox.scenario_setting (name, value)
    values (${nameOf(ratePlanId)}, ${JSON.stringify(prices)}::jsonb)
    on conflict (name) do nothing`
}

export function takeKeptPrices(ratePlanId: RatePlanId): Statement<{ value: RatePlan['prices'] }> {
  return sql<{ value: RatePlan['prices'] }>`
    delete from sandbox.scenario_setting where name = ${nameOf(ratePlanId)} returning value`
}
