import { type Statement, sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import type { PlanTerms } from './plan-terms.ts'

export interface RatePlanRow {
  readonly rate_plan_id: string
  readonly tenant_id: string
  readonly property_id: string
  readonly code: string
  readonly name: RatePlan['name']
  readonly category: RatePlan['category']
  readonly currency: CurrencyCode
  readonly status: RatePlan['status']
  readonly version: number
  readonly terms: PlanTerms
  readonly rates: Readonly<Record<string, string>>
}

const columns = sql`
  l.rate_plan_id, l.tenant_id, l.property_id, l.code, l.name, l.category, p.currency, l.status,
  l.version, l.terms, coalesce((
    select jsonb_object_agg(room_type_id, nightly_micro::text)
    from sandbox.pricing_rate where rate_plan_id = l.rate_plan_id), '{}') as rates`

export function readRatePlans(tenant: string, property: string): Statement<RatePlanRow> {
  return sql<RatePlanRow>`
    select ${columns} from sandbox.pricing_rate_plan l
    join sandbox.pricing_property p using (property_id)
    where l.property_id = ${property}::uuid and l.tenant_id = ${tenant}::uuid order by l.code`
}

/**
 * Serializes changes of one plan. Its prices are read by a separate statement afterwards: this one,
 * after waiting for the lock, would still see the previous prices.
 */
export function lockRatePlan(tenant: string, ratePlan: string): Statement<{ locked: 1 }> {
  return sql<{ locked: 1 }>`
    select 1 as locked from sandbox.pricing_rate_plan
    where rate_plan_id = ${ratePlan}::uuid and tenant_id = ${tenant}::uuid for update`
}

export function readRatePlan(tenant: string, ratePlan: string): Statement<RatePlanRow> {
  return sql<RatePlanRow>`
    select ${columns} from sandbox.pricing_rate_plan l
    join sandbox.pricing_property p using (property_id)
    where l.rate_plan_id = ${ratePlan}::uuid and l.tenant_id = ${tenant}::uuid`
}

export interface NewPrices {
  readonly ratePlan: string
  readonly roomTypes: readonly string[]
  readonly nightlyMicro: readonly string[]
}

/** One statement: new prices are never visible under the old version. */
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
