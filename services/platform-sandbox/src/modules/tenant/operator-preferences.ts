import type { Queryable } from '@melmastoon/chassis/db'
import {
  type Id,
  idToUuid,
  type PropertyId,
  problem,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { OperatorPreferences } from '@melmastoon/upstream-contracts/tenant'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { selectOperator } from './operator-sql.ts'
import {
  insertPreferences,
  type PreferencesKey,
  type PreferencesRow,
  selectPreferences,
} from './preferences-sql.ts'
import type { TenantOperations } from './tenant.ts'

/** The maximum of the contract. */
const HISTORY_MAX = 1_000

type Put = TenantOperations['putOperatorPreferences']

interface Whose {
  readonly tenantId: TenantId
  readonly operatorId: Id<'opr'>
  readonly propertyId: PropertyId
}

export async function readPreferences(db: Queryable, whose: Whose): Promise<OperatorPreferences> {
  const key = keyOf(whose)
  const [operator] = await db.query(selectOperator(key.tenant, key.operator))
  if (operator === undefined) throw problem('MELMASTOON.TENANT.OPERATOR_NOT_FOUND')
  return toPreferences(await db.query(selectPreferences(key, HISTORY_MAX)))
}

/** The change of an older version is rejected; of two concurrent ones the second. */
export async function putPreferences(
  host: ModuleHost,
  { params, query, body }: InputOf<Put>,
  call: CallOf<Put>,
): Promise<OperatorPreferences> {
  const { tenantId } = call
  const whose = { tenantId, ...params, ...query }
  return await host.db.withTenant(tenantId, async (tx) => {
    const before = await readPreferences(tx, whose)
    if (before.version !== body.expectedVersion) {
      throw problem('MELMASTOON.TENANT.VERSION_CONFLICT')
    }
    const statement = insertPreferences(keyOf(whose), {
      version: before.version + 1,
      payload: body.payload,
      changedBy: idToUuid(body.actor.operatorId),
      causationId: body.causationId ?? null,
    })
    const [stored] = await tx.query(statement)
    if (stored === undefined) throw problem('MELMASTOON.TENANT.VERSION_CONFLICT')
    return await call.finish(tx, await readPreferences(tx, whose))
  })
}

function keyOf({ tenantId, operatorId, propertyId }: Whose): PreferencesKey {
  return {
    tenant: idToUuid(tenantId),
    operator: idToUuid(operatorId),
    property: idToUuid(propertyId),
  }
}

function toPreferences(rows: readonly PreferencesRow[]): OperatorPreferences {
  const [latest] = rows
  const history = rows.toReversed().map((row) => ({
    version: row.version,
    status: 'saved' as const,
    at: toIsoDateTime(row.at),
    operatorId: uuidToId('opr', row.changed_by),
    ...(row.causation_id !== null && { causationId: row.causation_id }),
  }))
  return { payload: latest?.payload ?? {}, version: latest?.version ?? 0, history }
}
