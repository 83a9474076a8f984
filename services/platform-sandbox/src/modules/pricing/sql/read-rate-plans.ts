import { type Statement, sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import type { PlanTerms } from '../plan-terms.ts'

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
 * Two changes of one plan follow each other. Its prices are read by a statement of its own
 * afterwards: this one, having waited, would still see those of before.
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
