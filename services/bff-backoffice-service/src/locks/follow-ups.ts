import { asAbsent } from '@melmastoon/bff/upstreams'
import { isUniqueViolation } from '@melmastoon/chassis/db'
import { type RoomId, uuidToId } from '@melmastoon/domain'
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
import { isStaying } from './read-stay.ts'

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
  return await agreeOnRooms(deps, { row, keys, isIssuing: issues.length > 0 }, call)
}

interface Moved {
  readonly row: FollowUpRow
  readonly keys: readonly KeyCredential[]
  readonly isIssuing: boolean
}

/**
 * The stay as it is now decides: the guest may have moved again since the event, or left. The end
 * of a stay has a follow-up of its own.
 */
async function agreeOnRooms(
  deps: LockDeps,
  { row, keys, isIssuing }: Moved,
  call: LockCall,
): Promise<boolean> {
  const rooms = await readRooms(deps, row, call)
  if (rooms === null) return true
  const left = row.prior_room_ids.filter((room) => !rooms.includes(room))
  const isOld = (key: KeyCredential) => key.rooms.some((room) => left.includes(room))
  const old = keys.filter(isOld)
  // The key of an issue that is open may be one for a room that the guest has left.
  if (old.length === 0) return !isIssuing
  // The new keys first: guests always have one that works, for every room.
  const kept = keys.filter((key) => !isOld(key))
  const active = kept.filter(({ state }) => state === 'active')
  if (without(rooms, active).length === 0) await revokeAll(deps, { row, keys: old }, call)
  else if (!isIssuing) await replace(deps, { row, keys: old, rooms: without(rooms, kept) }, call)
  return false
}

/** The rooms that none of the keys opens. */
function without(rooms: readonly RoomId[], keys: readonly KeyCredential[]): RoomId[] {
  return rooms.filter((room) => !keys.some((key) => key.rooms.includes(room)))
}

/** Null: the stay has ended, or was never confirmed. */
async function readRooms(
  { upstreams: { reservation } }: LockDeps,
  row: FollowUpRow,
  { deadline, trace }: LockCall,
): Promise<RoomId[] | null> {
  const { tenantId, reservationId } = placeOf(row)
  const stay = await reservation
    .getStay({ params: { reservationId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  return stay !== null && isStaying(stay) ? stay.rooms.map(({ roomId }) => roomId) : null
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
async function replace(
  deps: LockDeps,
  { row, keys, rooms: missing }: KeysOf & { readonly rooms: readonly RoomId[] },
  call: LockCall,
): Promise<void> {
  const place = placeOf(row)
  const mobile = keys.find(({ kind }) => kind === 'mobile_app')
  if (mobile === undefined || missing.length === 0) return
  const { kind, validFrom, validUntil, vendor } = mobile
  const rooms = missing.slice(0, 10)
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
