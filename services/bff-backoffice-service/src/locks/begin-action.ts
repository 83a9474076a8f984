import { isUniqueViolation } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { newId, problem } from '@melmastoon/domain'
import { lockActionRequested } from '../events/lock-events.ts'
import type { LockActionId, LockActionRecord, NewLockAction } from './lock-action.ts'
import {
  insertAction,
  selectAction,
  selectByRequestKey,
  takeRooms,
  toRecord,
} from './lock-action-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { eventPayload } from './lock-event-payload.ts'
import { LEASE_MS, nextLookMs } from './lock-schedule.ts'

type Call = Pick<LockCall, 'deadline' | 'cause'>

/**
 * Commits the audit of an action: afterwards, and not before, its command may be sent.
 * @throws Problem LOCK_ACTION_OPEN, STEP_UP_REQUIRED for an attestation that was used
 */
export async function beginAction(
  deps: LockDeps,
  { actionId = newId('lap'), ...action }: NewLockAction & { readonly actionId?: LockActionId },
  { deadline, cause }: Call,
): Promise<LockActionRecord> {
  crashPoint('locks.before_record')
  const { tenantId, propertyId } = action
  const scheduling = { nextMs: nextLookMs(deps.lockControls, 0), leaseMs: LEASE_MS }
  const recorded = await deps.db
    .withTenant(
      tenantId,
      async (tx) => {
        if (action.command.action === 'revoke') await tx.query(takeRooms(action))
        await tx.query(insertAction(action, actionId, scheduling))
        const payload = eventPayload({ ...action, actionId })
        const staff = { ...action.actor, propertyId }
        await appendEvents(tx, [
          deps.registry.build(lockActionRequested.subject, payload, { ...cause, staff }),
        ])
        const [row] = await tx.query(selectAction(actionId))
        if (row === undefined) throw new TypeError('a new action is missing')
        return toRecord(row)
      },
      { deadline },
    )
    .catch(asRejection)
  crashPoint('locks.after_record')
  const { reservationId, state, command } = recorded
  const change = { tenantId, propertyId, reservationId, actionId, state, action: command.action }
  deps.lockChanges.report(change)
  return recorded
}

/** The action that an earlier attempt of the same request has begun. */
export async function findBegun(
  { db }: Pick<LockDeps, 'db'>,
  { tenantId, requestKey }: Pick<NewLockAction, 'tenantId' | 'requestKey'>,
  { deadline }: Pick<LockCall, 'deadline'>,
): Promise<LockActionRecord | null> {
  const [row] = await db.tenantQuery(tenantId, selectByRequestKey(requestKey), { deadline })
  return row === undefined ? null : toRecord(row)
}

function asRejection(error: unknown): never {
  if (isUniqueViolation(error, 'ux_lock_action_open')) {
    throw problem('MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_OPEN', { cause: error })
  }
  if (isUniqueViolation(error, 'ux_lock_audit_attestation')) {
    throw problem('MELMASTOON.SECURITY.STEP_UP_REQUIRED', { cause: error })
  }
  throw error
}
