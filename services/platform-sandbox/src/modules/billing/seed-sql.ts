import { type Statement, sql } from '@melmastoon/chassis/db'

/** The folio of a stay of the demo world as one JSON object. */
export interface SeededFolio {
  readonly tenant_id: string
  readonly folio_id: string
  readonly property_id: string
  readonly status: 'pending' | 'open' | 'closed'
  readonly currency: string
  readonly charges: readonly SeededCharge[]
  /** Zero: nothing is paid yet. */
  readonly paid_micro: string
}

export interface SeededCharge {
  readonly charge_id: string
  readonly amount_micro: string
  readonly category: string
  readonly description: string
}

/** Returns the folios that did not exist. */
export function seedFolios(folios: readonly SeededFolio[]): Statement<{ folio_id: string }> {
  return sql<{ folio_id: string }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(folios)}::json) as f (tenant_id uuid,
        folio_id uuid, property_id uuid, status text, currency text, charges json,
        paid_micro bigint)),
    created as (
      insert into sandbox.billing_folio (tenant_id, folio_id, property_id, status, currency,
        opened_at, closed_at)
      select tenant_id, folio_id, property_id, status, currency,
        case when status <> 'pending' then clock_timestamp() end,
        case when status = 'closed' then clock_timestamp() end
      from given
      on conflict do nothing
      returning tenant_id, folio_id, status),
    noted as (
      insert into sandbox.billing_folio_history (tenant_id, folio_id, version, status)
      select tenant_id, folio_id, 1, status from created),
    charged as (
      insert into sandbox.billing_charge (tenant_id, folio_id, charge_id, amount_micro, category,
        description)
      select n.tenant_id, n.folio_id, c.charge_id, c.amount_micro, c.category, c.description
      from created n join given g using (tenant_id, folio_id)
      cross join lateral json_to_recordset(g.charges) as c (charge_id uuid, amount_micro bigint,
        category text, description text)),
    paid as (
      insert into sandbox.billing_payment (tenant_id, folio_id, sequence, amount_micro, currency,
        method)
      select n.tenant_id, n.folio_id, 1, g.paid_micro, g.currency, 'cash'
      from created n join given g using (tenant_id, folio_id) where g.paid_micro > 0)
    select folio_id from created`
}

/**
 * Advances folios with their stays since they were seeded: open at check-in, paid and closed at
 * check-out. Only forward, and not after a member of staff has checked the guests out.
 */
export function advanceFolios(
  folios: readonly Pick<SeededFolio, 'tenant_id' | 'folio_id' | 'status'>[],
): Statement<unknown> {
  return sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(folios)}::json) as f (tenant_id uuid,
        folio_id uuid, status text)),
    moved as (
      update sandbox.billing_folio f
      set status = g.status, version = f.version + 1, updated_at = clock_timestamp(),
        opened_at = coalesce(f.opened_at, clock_timestamp()),
        closed_at = case when g.status = 'closed' then clock_timestamp() end
      from given g
      where f.tenant_id = g.tenant_id and f.folio_id = g.folio_id
        and (f.status, g.status) in (('pending', 'open'), ('pending', 'closed'),
          ('open', 'closed'))
      returning f.tenant_id, f.folio_id, f.version, f.status, f.currency),
    noted as (
      insert into sandbox.billing_folio_history (tenant_id, folio_id, version, status)
      select tenant_id, folio_id, version, status from moved)
    insert into sandbox.billing_payment (tenant_id, folio_id, sequence, amount_micro, currency,
      method)
    select m.tenant_id, m.folio_id, p.last + 1, c.micro - p.micro, m.currency, 'cash'
    from moved m
    cross join lateral (
      select coalesce(sum(amount_micro), 0) as micro from sandbox.billing_charge
      where tenant_id = m.tenant_id and folio_id = m.folio_id and voided_at is null) c
    cross join lateral (
      select coalesce(sum(amount_micro), 0) as micro, coalesce(max(sequence), 0) as last
      from sandbox.billing_payment
      where tenant_id = m.tenant_id and folio_id = m.folio_id) p
    where m.status = 'closed' and c.micro > p.micro`
}
