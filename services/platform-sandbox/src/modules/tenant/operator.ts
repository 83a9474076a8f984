import type { Database } from '@melmastoon/chassis/db'
import { type Id, idToUuid, isCurrency, problem, type TenantId, uuidToId } from '@melmastoon/domain'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import { type OperatorRow, selectOperator, selectOperators } from './operator-sql.ts'

const OPERATORS_MAX = 100

export function toOperator(row: OperatorRow): Operator {
  const { charge_limit_micro: amountMicro, charge_limit_currency: currency } = row
  return {
    operatorId: uuidToId('opr', row.operator_id),
    displayName: row.display_name,
    roles: row.roles,
    isLead: row.is_lead,
    properties: row.property_ids?.map((uuid) => uuidToId('ppt', uuid)) ?? '*',
    status: row.status,
    ...(amountMicro !== null && isCurrency(currency) && { chargeLimit: { amountMicro, currency } }),
    locale: row.locale,
    version: row.version,
  }
}

export async function findOperator(
  db: Database,
  tenantId: TenantId,
  operatorId: Id<'opr'>,
): Promise<Operator | null> {
  const statement = selectOperator(idToUuid(tenantId), idToUuid(operatorId))
  const [row] = await db.tenantQuery(tenantId, statement)
  return row === undefined ? null : toOperator(row)
}

export async function readOperator(
  db: Database,
  tenantId: TenantId,
  operatorId: Id<'opr'>,
): Promise<Operator> {
  const operator = await findOperator(db, tenantId, operatorId)
  if (operator === null) throw problem('MELMASTOON.TENANT.OPERATOR_NOT_FOUND')
  return operator
}

/** `ids` as in the contract: separated by commas, already validated. */
export async function listOperators(
  db: Database,
  tenantId: TenantId,
  ids: string | undefined,
): Promise<{ operators: Operator[] }> {
  const operators = ids?.split(',').map((id) => idToUuid(id as Id<'opr'>)) ?? null
  const statement = selectOperators(idToUuid(tenantId), { operators, rows: OPERATORS_MAX })
  const rows = await db.tenantQuery(tenantId, statement)
  return { operators: rows.map(toOperator) }
}
