import { type Statement, sql } from '@melmastoon/chassis/db'

export interface NewPrices {
  readonly ratePlan: string
  readonly roomTypes: readonly string[]
  readonly nightlyMicro: readonly string[]
}

/** One statement: nobody sees new prices under the old version. */
export function publishPrices(change: NewPrices): Statement<{ version: number; at: Date }> {
  return sql<{ version: number; at: Date }>`
    with priced as (
      update sandbox.pricing_rate r set nightly_micro = n.nightly_micro
      from unnest(${change.roomTypes}::uuid[], ${change.nightlyMicro}::bigint[])
        as n (room_type_id, nightly_micro)
      where r.rate_plan_id = ${change.ratePlan}::uuid and r.room_type_id = n.room_type_id
      returning 1)
    update sandbox.pricing_rate_plan
    set version = version + 1, status = 'published', published_at = clock_timestamp()
    where rate_plan_id = ${change.ratePlan}::uuid
    returning version, published_at as at, (select count(*) from priced)`
}
