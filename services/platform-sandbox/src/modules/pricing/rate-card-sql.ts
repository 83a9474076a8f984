import { type Statement, sql } from '@melmastoon/chassis/db'
import type { CurrencyCode, LocalizedText, RoomTypeId } from '@melmastoon/domain'
import type { RateCategory } from './engine/rate-card.ts'
import type { RuleSet } from './engine/rule-set.ts'
import { latestFx, type MaybeFxRow } from './fx-sql.ts'
import type { PlanTerms } from './plan-terms.ts'

export interface CardRow {
  readonly property_id: string
  readonly tenant_id: string
  readonly currency: CurrencyCode
  readonly time_zone: string
  readonly rule_set_id: string
  readonly rooms: readonly {
    readonly roomTypeId: RoomTypeId
    readonly adultsIncluded: number
    readonly adultsMax: number
    readonly childrenMax: number
  }[]
  readonly revision: number
  /** The revision of all rates at the time of the read. */
  readonly book_revision: number
  readonly plans: readonly {
    readonly id: string
    readonly code: string
    readonly name: LocalizedText
    readonly category: RateCategory
    readonly version: number
    readonly terms: PlanTerms
    /** Room type → digits, because a JSON number would lose precision. */
    readonly rates: Readonly<Record<string, string>>
  }[]
}

/** Hotels with their published plans, in one snapshot. */
export function readRateCards(properties: readonly string[]): Statement<CardRow> {
  return sql<CardRow>`
    select p.property_id, p.tenant_id, p.currency, p.time_zone, p.rule_set_id, p.rooms, p.revision,
      (select revision from sandbox.pricing_revision) as book_revision,
      coalesce(plans.list, '[]') as plans
    from sandbox.pricing_property p
    left join lateral (
      select jsonb_agg(jsonb_build_object(
        'id', l.rate_plan_id, 'code', l.code, 'name', l.name, 'category', l.category,
        'version', l.version, 'terms', l.terms, 'rates', coalesce(r.rates, '{}'))) as list
      from sandbox.pricing_rate_plan l
      left join lateral (
        select jsonb_object_agg(room_type_id, nightly_micro::text) as rates
        from sandbox.pricing_rate where rate_plan_id = l.rate_plan_id) r on true
      where l.property_id = p.property_id and l.status = 'published') plans on true
    where p.property_id = any(${properties}::uuid[])`
}

export interface RuleSetRow {
  readonly rule_set_id: string
  readonly rules: RuleSet
}

export function readRuleSets(ids: readonly string[]): Statement<RuleSetRow> {
  return sql<RuleSetRow>`
    select rule_set_id, rules from sandbox.pricing_rule_set where rule_set_id = any(${ids})`
}

export type BookStateRow = MaybeFxRow & {
  readonly now: Date
  readonly revision: number
  /** Hotels whose rates changed after `since`, at most `limit` + 1. */
  readonly changed: readonly string[]
}

export function readBookState(since: number, limit: number): Statement<BookStateRow> {
  return sql<BookStateRow>`
    select clock_timestamp() as now, r.revision, f.*,
      array(select property_id::text from sandbox.pricing_property
            where revision > ${since} order by revision limit ${limit + 1}) as changed
    from sandbox.pricing_revision r left join lateral ${latestFx} f on true`
}

/** The last write of a transaction: its lock serializes the commits of rate changes. */
export function incrementRevision(properties: readonly string[]): Statement<{ revision: number }> {
  return sql<{ revision: number }>`
    with next as (
      update sandbox.pricing_revision set revision = revision + 1 returning revision)
    update sandbox.pricing_property p set revision = next.revision from next
    where p.property_id = any(${properties}::uuid[])
    returning p.revision`
}

export function findProperty(tenant: string, property: string): Statement<{ revision: number }> {
  return sql<{ revision: number }>`
    select revision from sandbox.pricing_property
    where property_id = ${property}::uuid and tenant_id = ${tenant}::uuid`
}
