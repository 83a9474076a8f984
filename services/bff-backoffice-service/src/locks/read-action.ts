import { problem } from '@melmastoon/domain'
import { type Operator, requireProperty } from '../access/operator.ts'
import type { LockActionId } from './lock-action.ts'
import { selectAction, selectTransitions, toRecord } from './lock-action-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'

const TRANSITIONS_MAX = 200

/** @throws Problem RESOURCE_NOT_FOUND, also for an action at another property */
export async function readAction(
  { db }: Pick<LockDeps, 'db'>,
  { operator, actionId }: { readonly operator: Operator; readonly actionId: LockActionId },
  { deadline }: Pick<LockCall, 'deadline'>,
) {
  const { tenantId } = operator
  const [row] = await db.tenantQuery(tenantId, selectAction(actionId), { deadline })
  if (row === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const action = toRecord(row)
  requireProperty(operator, action.propertyId)
  const statement = selectTransitions(actionId, TRANSITIONS_MAX)
  return { action, transitions: await db.tenantQuery(tenantId, statement, { deadline }) }
}
