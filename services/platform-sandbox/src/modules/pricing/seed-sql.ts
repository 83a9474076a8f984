import { type Statement, sql } from '@melmastoon/chassis/db'

/** Rows are passed as one JSON array: one parameter for any number. */
export function insertRuleSets(rows: readonly object[]): Statement<unknown> {
  return sql`
    insert into sandbox.pricing_rule_set (rule_set_id, rules)
    select rule_set_id, rules
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (rule_set_id text, rules jsonb)
    on conflict do nothing`
}

export function insertProperties(rows: readonly object[]): Statement<unknown> {
  return sql`
    insert into sandbox.pricing_property
      (property_id, tenant_id, currency, time_zone, rule_set_id, rooms, revision)
    select property_id, tenant_id, currency, time_zone, rule_set_id, rooms, 0
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
      (property_id uuid, tenant_id uuid, currency text, time_zone text, rule_set_id text,
       rooms jsonb)
    on conflict do nothing`
}

export function insertRatePlans(rows: readonly object[]): Statement<unknown> {
  return sql`
    insert into sandbox.pricing_rate_plan
      (rate_plan_id, tenant_id, property_id, code, name, category, status, terms, published_at)
    select rate_plan_id, tenant_id, property_id, code, name, category, 'published', terms, now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
      (rate_plan_id uuid, tenant_id uuid, property_id uuid, code text, name jsonb, category text,
       terms jsonb)
    on conflict do nothing`
}

export function insertRates(rows: {
  readonly plans: readonly string[]
  readonly rooms: readonly string[]
  readonly micros: readonly string[]
}): Statement<unknown> {
  return sql`
    insert into sandbox.pricing_rate (rate_plan_id, room_type_id, nightly_micro)
    select * from unnest(${rows.plans}::uuid[], ${rows.rooms}::uuid[], ${rows.micros}::bigint[])
    on conflict do nothing`
}

export function insertPromotions(rows: readonly object[]): Statement<unknown> {
  return sql`
    insert into sandbox.pricing_promotion
      (tenant_id, code, basis_points, amount_micro, currency, min_nights, starts_at, ends_at,
       redemptions_max)
    select tenant_id, code, basis_points, amount_micro, currency, min_nights, starts_at, ends_at,
      redemptions_max
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
      (tenant_id uuid, code text, basis_points int, amount_micro bigint, currency text,
       min_nights int, starts_at timestamptz, ends_at timestamptz, redemptions_max int)
    on conflict do nothing`
}
