import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { type Id, idToUuid, problem, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import { operatorRoleChanged } from '@melmastoon/platform-events'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import { toOperator } from './operator.ts'
import { lockOperator, type OperatorChange, updateOperator } from './operator-sql.ts'
import type { TenantOperations } from './tenant.ts'

type Operation = TenantOperations['setOperatorRole']

/** Receivers of the event read the operator again: it contains no role. */
export async function setOperatorRole(
  host: ModuleHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<Operator> {
  const { tenantId, cause } = call
  return await host.db.withTenant(tenantId, async (tx) => {
    const before = await lock(tx, tenantId, params.operatorId)
    const { expectedVersion = before.version } = body
    if (before.version !== expectedVersion) throw problem('MELMASTOON.TENANT.VERSION_CONFLICT')
    const after = await store(tx, { tenantId, before }, body)
    if (after === before) return await call.finish(tx, before)
    const { operatorId, status, version } = after
    const occurredAt = toIsoDateTime(cause.occurredAt)
    const causationId = body.causationId ?? null
    const payload = { tenantId, operatorId, status, version, occurredAt, causationId }
    await appendEvents(tx, [host.registry.build(operatorRoleChanged.subject, payload, cause)])
    return await call.finish(tx, after)
  })
}

async function lock(tx: Tx, tenantId: TenantId, operatorId: Id<'opr'>): Promise<Operator> {
  const [row] = await tx.query(lockOperator(idToUuid(tenantId), idToUuid(operatorId)))
  if (row === undefined) throw problem('MELMASTOON.TENANT.OPERATOR_NOT_FOUND')
  return toOperator(row)
}

/** The same object when nothing changes. */
async function store(
  tx: Tx,
  { tenantId, before }: { readonly tenantId: TenantId; readonly before: Operator },
  changes: Partial<Operator>,
): Promise<Operator> {
  const {
    roles = before.roles,
    isLead = before.isLead,
    properties = before.properties,
    status = before.status,
  } = changes
  const isSame = isDeepStrictEqual(
    [roles, isLead, properties, status],
    [before.roles, before.isLead, before.properties, before.status],
  )
  if (isSame) return before
  const change: OperatorChange = {
    roles,
    isLead,
    properties: properties === '*' ? null : properties.map((id) => idToUuid(id)),
    status,
  }
  const [row] = await tx.query(
    updateOperator(idToUuid(tenantId), idToUuid(before.operatorId), change),
  )
  if (row === undefined) throw new TypeError('the locked operator does not exist')
  return toOperator(row)
}
