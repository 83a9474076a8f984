import { problem, type ReservationId, type RoomKeyId } from '@melmastoon/domain'
import type { RevokeReason } from '@melmastoon/upstream-contracts/lock'
import { type Operator, requireProperty } from '../access/operator.ts'
import type { LockActionId, LockActionRecord, NewLockAction } from './lock-action.ts'
import { selectAction, toRecord } from './lock-action-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { planOf, readKey } from './plan-change.ts'

export interface RevokeRequest {
  readonly operator: Operator
  readonly reservationId: ReservationId
  /** The key, or the action that is still issuing it. */
  readonly keyId?: RoomKeyId | undefined
  readonly issueActionId?: LockActionId | undefined
  readonly reason: RevokeReason
  readonly attestationId?: string | undefined
  readonly requestKey: string
}

/** The action and the resource that the second factor must have confirmed. */
const REVOKE_ACTION = 'lock.revoke'

/**
 * The attestation is used only for a key that exists, and before anything is recorded or sent.
 * @throws Problem STEP_UP_REQUIRED
 */
export async function planRevoke(
  deps: LockDeps,
  request: RevokeRequest,
  call: LockCall,
): Promise<NewLockAction> {
  const planned = await planTarget(deps, request, call)
  const { operator, reservationId, attestationId, requestKey } = request
  const resource = { resourceKind: 'reservation', resourceId: reservationId }
  const purpose = { action: REVOKE_ACTION, ...resource }
  const presented = { attestationId, purpose, usedBy: requestKey }
  return { ...planned, attestationId: await deps.stepUp.consume(operator, presented) }
}

async function planTarget(
  deps: LockDeps,
  request: RevokeRequest,
  call: LockCall,
): Promise<NewLockAction> {
  const { operator, keyId, issueActionId, reason } = request
  const issue = issueActionId === undefined ? null : await readIssue(deps, request, issueActionId)
  const known = keyId ?? issue?.keyId ?? undefined
  if (known !== undefined) {
    const key = await readKey(deps, { ...request, keyId: known }, call)
    const command = { action: 'revoke', rooms: key.rooms, reason } as const
    return await planOf(deps, { ...request, keyId: known, key, command }, call)
  }
  if (issue === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  const { tenantId, propertyId, reservationId, vendor, maxDelaySeconds, command } = issue
  return {
    tenantId,
    propertyId,
    reservationId,
    vendor,
    maxDelaySeconds,
    actor: { operatorId: operator.operatorId, deviceId: operator.deviceId },
    command: { action: 'revoke', rooms: command.rooms, reason },
    keyId: null,
    targetId: issue.actionId,
    requestKey: request.requestKey,
    // Nobody knows the key yet. The reconciler finds it, and then sends the command.
    isQueued: true,
  }
}

async function readIssue(
  { db }: Pick<LockDeps, 'db'>,
  { operator, reservationId }: RevokeRequest,
  actionId: LockActionId,
): Promise<LockActionRecord> {
  const [row] = await db.tenantQuery(operator.tenantId, selectAction(actionId))
  const issue = row === undefined ? undefined : toRecord(row)
  if (issue?.command.action !== 'issue' || issue.reservationId !== reservationId) {
    throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  }
  requireProperty(operator, issue.propertyId)
  return issue
}
