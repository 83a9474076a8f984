import { isUniqueViolation } from '@melmastoon/chassis/db'
import type { KeyCredential, RevokeReason } from '@melmastoon/upstream-contracts/lock'
import { beginAction } from './begin-action.ts'
import { type LockActionRecord, SYSTEM_ACTOR } from './lock-action.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { readLockSystem } from './plan-issue.ts'

interface Revocation {
  readonly place: Pick<LockActionRecord, 'tenantId' | 'propertyId' | 'reservationId'>
  readonly key: KeyCredential
  readonly reason: RevokeReason
  /** What it follows from: an action, or an event. */
  readonly causeId: string
}

/** Of this service, once per key and cause. The reconciler sends it. */
export async function queueRevocation(
  deps: LockDeps,
  { place: { tenantId, propertyId, reservationId }, key, reason, causeId }: Revocation,
  call: LockCall,
): Promise<void> {
  const place = { tenantId, propertyId, reservationId }
  const { maxDelaySeconds } = await readLockSystem(
    deps,
    { operator: place, propertyId: place.propertyId },
    call,
  )
  const action = {
    ...place,
    actor: SYSTEM_ACTOR,
    vendor: key.vendor,
    maxDelaySeconds,
    command: { action: 'revoke', rooms: key.rooms, reason },
    keyId: key.keyId,
    requestKey: `system:${causeId}:${key.keyId}`,
    isQueued: true,
  } as const
  await beginAction(deps, action, call).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'ux_lock_action_request')) throw error
  })
}
