import { isUniqueViolation } from '@melmastoon/chassis/db'
import { uuidToId } from '@melmastoon/domain'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import { beginAction } from './begin-action.ts'
import { listKeys } from './find-outcome.ts'
import { claimFollowUp, type FollowUpRow, postponeFollowUp } from './follow-up-sql.ts'
import { SYSTEM_ACTOR } from './lock-action.ts'
import { selectOpenActions, selectOpenRevocations } from './lock-action-sql.ts'
import { insertAlert } from './lock-alert-sql.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { ALERT_AFTER_SECONDS, LEASE_MS, MANUAL_AFTER_SECONDS, nextLookMs } from './lock-schedule.ts'
import { readLockSystem } from './plan-issue.ts'
import { queueRevocation } from './queue-revocation.ts'

const USABLE: ReadonlySet<KeyCredential['state']> = new Set([
  'requested',
  'pending',
  'active',
  'suspended',
])

/** One look at the keys of a stay that has ended or moved. */
export async function processFollowUp(
  deps: LockDeps,
  ref: Pick<FollowUpRow, 'tenant_id' | 'id'>,
  call: LockCall,
): Promise<void> {
  const tenantId = uuidToId('tnt', ref.tenant_id)
  const [row] = await deps.db.tenantQuery(tenantId, claimFollowUp(ref.id, LEASE_MS), call)
  if (row === undefined) return
  const finish = (nextMs: number | null) =>
    deps.db.tenantQuery(tenantId, postponeFollowUp(row.id, nextMs), call)
  const later = nextLookMs(deps.lockControls, row.tries)
  try {
    const isDone = await agree(deps, row, call)
    if (!isDone && row.age_seconds > ALERT_AFTER_SECONDS) await raise(deps, row)
    const isOver = isDone || row.age_seconds > MANUAL_AFTER_SECONDS
    await finish(isOver ? null : later)
  } catch (error) {
    await finish(later)
    throw error
  }
}

function placeOf(row: FollowUpRow) {
  return {
    tenantId: uuidToId('tnt', row.tenant_id),
    propertyId: uuidToId('ppt', row.property_id),
    reservationId: row.reservation_id,
  }
}

/** Whether the keys agree with the stay; what is missing is begun. */
async function agree(deps: LockDeps, row: FollowUpRow, call: LockCall): Promise<boolean> {
  const place = placeOf(row)
  const keys = (await listKeys(deps, place, call)).filter(({ state }) => USABLE.has(state))
  const issues = await deps.db.tenantQuery(
    place.tenantId,
    selectOpenActions(row.reservation_id, 'issue'),
    call,
  )
  if (row.kind === 'stay_ended') {
    await revokeAll(deps, { row, keys }, call)
    return keys.length === 0 && issues.length === 0
  }
  const old = keys.filter(({ rooms }) => rooms.some((room) => row.prior_room_ids.includes(room)))
  if (old.length === 0) return true
  // The new key first: guests always have one that works.
  const hasNew = keys.some(
    (key) =>
      key.state === 'active' &&
      !old.includes(key) &&
      key.rooms.some((r) => row.room_ids.includes(r)),
  )
  if (hasNew) await revokeAll(deps, { row, keys: old }, call)
  else if (issues.length === 0) await replace(deps, { row, keys: old }, call)
  return false
}

interface KeysOf {
  readonly row: FollowUpRow
  readonly keys: readonly KeyCredential[]
}

async function revokeAll(deps: LockDeps, { row, keys }: KeysOf, call: LockCall): Promise<void> {
  const place = placeOf(row)
  for (const key of keys) {
    const ofKey = { reservationId: row.reservation_id, keyId: key.keyId }
    const open = await deps.db.tenantQuery(place.tenantId, selectOpenRevocations(ofKey), call)
    if (open.length > 0) continue
    await queueRevocation(deps, { place, key, reason: row.reason, causeId: row.id }, call)
  }
}

/**
 * A key on the guest's phone needs nobody at the desk. For a PIN or a card the operator issues the
 * new key; until then the old one stays.
 */
async function replace(deps: LockDeps, { row, keys }: KeysOf, call: LockCall): Promise<void> {
  const place = placeOf(row)
  const mobile = keys.find(({ kind }) => kind === 'mobile_app')
  if (mobile === undefined || row.room_ids.length === 0) return
  const { kind, validFrom, validUntil, vendor } = mobile
  const rooms = row.room_ids.slice(0, 10)
  const system = await readLockSystem(deps, { operator: place, propertyId: place.propertyId }, call)
  const action = {
    ...place,
    actor: SYSTEM_ACTOR,
    vendor,
    maxDelaySeconds: system.maxDelaySeconds,
    command: { action: 'issue', rooms, kind, validFrom, validUntil, isAdditional: true },
    keyId: null,
    requestKey: `system:${row.id}:issue`,
    isQueued: true,
  } as const
  await beginAction(deps, action, call).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'ux_lock_action_request')) throw error
  })
}

async function raise({ db }: LockDeps, row: FollowUpRow): Promise<void> {
  const kind = row.kind === 'room_changed' ? 'room_change' : 'contradiction'
  const place = placeOf(row)
  await db.tenantQuery(place.tenantId, insertAlert({ ...place, subjectId: row.id, kind }))
}
