import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { planOperators, type WorldOperator } from '../../world/operators.ts'
import type { World } from '../../world/world.ts'
import { insertOperators, type NewOperatorRow } from './operator-sql.ts'

/** After `seedTenant`. Idempotent: existing operators stay unchanged. */
export async function seedOperators(db: Database, world: World): Promise<void> {
  const rows = planOperators(world).map(toRow)
  if (rows.length > 0) await db.query(insertOperators(rows))
}

function toRow(operator: WorldOperator): NewOperatorRow {
  const { tenant, chargeLimitMicro } = operator
  return {
    tenant_id: idToUuid(tenant.tenantId),
    operator_id: idToUuid(operator.operatorId),
    display_name: operator.displayName,
    roles: [operator.role],
    is_lead: operator.isLead,
    property_ids: operator.properties?.map((id) => idToUuid(id)) ?? null,
    charge_limit_micro: chargeLimitMicro === null ? null : String(chargeLimitMicro),
    charge_limit_currency: chargeLimitMicro === null ? null : tenant.primaryCurrency,
    locale: tenant.defaultLocale,
  }
}
