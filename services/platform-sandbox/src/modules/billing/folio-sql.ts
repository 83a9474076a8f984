import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { CurrencyCode } from '@melmastoon/domain'
import type { FolioStatus } from '@melmastoon/upstream-contracts/billing'
import type { FolioHistoryRow, FolioRow } from './folio.ts'

/** The columns of folio `f`, with the sums of its charges and payments. */
const folioColumns = rawSql(`f.tenant_id, f.folio_id, f.property_id, f.status, f.currency,
  f.version, f.created_at, f.updated_at, f.opened_at, f.closed_at,
  (select coalesce(sum(c.amount_micro), 0)::text from sandbox.billing_charge c
    where c.tenant_id = f.tenant_id and c.folio_id = f.folio_id
      and c.voided_at is null) as charged_micro,
  (select coalesce(sum(p.amount_micro), 0)::text from sandbox.billing_payment p
    where p.tenant_id = f.tenant_id and p.folio_id = f.folio_id
      and p.currency = f.currency) as paid_micro`)

export interface FolioRef {
  readonly tenant: string
  readonly folio: string
}

export function selectFolio({ tenant, folio }: FolioRef): Statement<FolioRow> {
  return sql<FolioRow>`
    select ${folioColumns} from sandbox.billing_folio f
    where f.tenant_id = ${tenant}::uuid and f.folio_id = ${folio}::uuid`
}

/** A separate statement: the sums are read afterwards, when no other change is under way. */
export function lockFolio({ tenant, folio }: FolioRef): Statement<unknown> {
  return sql`
    select from sandbox.billing_folio
    where tenant_id = ${tenant}::uuid and folio_id = ${folio}::uuid
    for update`
}

export interface FolioPage {
  readonly tenant: string
  readonly property: string
  /** Null: all. */
  readonly folios: readonly string[] | null
  readonly status: FolioStatus | null
  readonly after: string | null
  readonly rows: number
}

export function selectFolios(page: FolioPage): Statement<FolioRow> {
  return sql<FolioRow>`
    select ${folioColumns} from sandbox.billing_folio f
    where f.tenant_id = ${page.tenant}::uuid and f.property_id = ${page.property}::uuid
      and (${page.folios}::uuid[] is null or f.folio_id = any (${page.folios}::uuid[]))
      and (${page.status}::text is null or f.status = ${page.status})
      and (${page.after}::uuid is null or f.folio_id > ${page.after}::uuid)
    order by f.folio_id limit ${page.rows}`
}

export function selectFolioIds(
  tenant: string,
  folios: readonly string[],
): Statement<{ folio_id: string }> {
  return sql<{ folio_id: string }>`
    select folio_id from sandbox.billing_folio
    where tenant_id = ${tenant}::uuid and folio_id = any (${folios}::uuid[])`
}

export function selectFolioHistory({ tenant, folio }: FolioRef): Statement<FolioHistoryRow> {
  return sql<FolioHistoryRow>`
    select version, status, at, operator_id, causation_id from sandbox.billing_folio_history
    where tenant_id = ${tenant}::uuid and folio_id = ${folio}::uuid
    order by version desc limit 1000`
}

export interface NewFolio extends FolioRef {
  readonly property: string
  readonly currency: CurrencyCode
}

/** No row: it exists. */
export function insertFolio(folio: NewFolio): Statement<{ folio_id: string }> {
  return sql<{ folio_id: string }>`
    with created as (
      insert into sandbox.billing_folio (tenant_id, folio_id, property_id, status, currency)
      values (${folio.tenant}::uuid, ${folio.folio}::uuid, ${folio.property}::uuid, 'pending',
        ${folio.currency})
      on conflict do nothing
      returning tenant_id, folio_id, version, status),
    noted as (
      insert into sandbox.billing_folio_history (tenant_id, folio_id, version, status)
      select tenant_id, folio_id, version, status from created)
    select folio_id from created`
}

export interface FolioMove extends FolioRef {
  readonly to: FolioStatus
  readonly operator: string | null
  readonly causation: string | null
}

/** Requires the lock of `lockFolio`. */
export function moveFolio(move: FolioMove): Statement<FolioRow> {
  return sql<FolioRow>`
    with moved as (
      update sandbox.billing_folio f
      set status = ${move.to}, version = f.version + 1, updated_at = clock_timestamp(),
        opened_at = case when ${move.to} = 'open' then coalesce(f.opened_at, clock_timestamp())
          else f.opened_at end,
        closed_at = case when ${move.to} = 'closed' then clock_timestamp() end
      where f.tenant_id = ${move.tenant}::uuid and f.folio_id = ${move.folio}::uuid
      returning f.*),
    noted as (
      insert into sandbox.billing_folio_history (tenant_id, folio_id, version, status, at,
        operator_id, causation_id)
      select tenant_id, folio_id, version, status, updated_at, ${move.operator}::uuid,
        ${move.causation}
      from moved)
    select ${folioColumns} from moved f`
}
