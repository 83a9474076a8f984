import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'

export interface OperatorRow {
  operator_id: string
  display_name: string
  roles: Operator['roles']
  is_lead: boolean
  property_ids: string[] | null
  status: Operator['status']
  charge_limit_micro: string | null
  charge_limit_currency: string | null
  locale: Operator['locale']
  version: number
}

const operatorColumns = rawSql(`
  operator_id, display_name, roles, is_lead, property_ids, status,
  charge_limit_micro::text as charge_limit_micro, charge_limit_currency, locale, version`)

export function selectOperator(tenant: string, operator: string): Statement<OperatorRow> {
  return sql<OperatorRow>`
    select ${operatorColumns} from sandbox.tenant_operator
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid`
}

/** Locked until the end of the transaction. */
export function lockOperator(tenant: string, operator: string): Statement<OperatorRow> {
  return sql<OperatorRow>`
    select ${operatorColumns} from sandbox.tenant_operator
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid for update`
}

/** `operators` null: all of them. */
export function selectOperators(
  tenant: string,
  { operators, rows }: { readonly operators: readonly string[] | null; readonly rows: number },
): Statement<OperatorRow> {
  return sql<OperatorRow>`
    select ${operatorColumns} from sandbox.tenant_operator
    where tenant_id = ${tenant}::uuid
      and (${operators}::uuid[] is null or operator_id = any(${operators}::uuid[]))
    order by operator_id limit ${rows}`
}

export interface OperatorChange {
  readonly roles: readonly string[]
  readonly isLead: boolean
  readonly properties: readonly string[] | null
  readonly status: Operator['status']
}

/** Requires the lock of `lockOperator`. */
export function updateOperator(
  tenant: string,
  operator: string,
  change: OperatorChange,
): Statement<OperatorRow> {
  return sql<OperatorRow>`
    update sandbox.tenant_operator
    set roles = ${change.roles}::text[], is_lead = ${change.isLead},
      property_ids = ${change.properties}::uuid[], status = ${change.status},
      version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and operator_id = ${operator}::uuid
    returning ${operatorColumns}`
}

export interface NewOperatorRow extends Omit<OperatorRow, 'version' | 'status'> {
  readonly tenant_id: string
}

/** Any number of rows in one parameter. Existing ones stay unchanged. */
export function insertOperators(operators: readonly NewOperatorRow[]): Statement<unknown> {
  return sql`
    insert into sandbox.tenant_operator (tenant_id, operator_id, display_name, roles, is_lead,
      property_ids, charge_limit_micro, charge_limit_currency, locale)
    select o.* from json_to_recordset(${JSON.stringify(operators)}::json) as o (tenant_id uuid,
      operator_id uuid, display_name text, roles text[], is_lead boolean, property_ids uuid[],
      charge_limit_micro bigint, charge_limit_currency text, locale text)
    on conflict do nothing`
}
