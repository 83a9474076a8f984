import { asAbsent } from '@melmastoon/bff/upstreams'
import {
  type IsoDateTime,
  problem,
  type ReservationId,
  type RoomId,
  type RoomKeyId,
} from '@melmastoon/domain'
import type { KeyCredentialDetail } from '@melmastoon/upstream-contracts/lock'
import { type Operator, requireProperty } from '../access/operator.ts'
import type { LockCommand, NewLockAction } from './lock-action.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { assignedRooms, readLockSystem } from './plan-issue.ts'
import { readStay, readValidity, requireStaying } from './read-stay.ts'

export interface ChangeRequest {
  readonly operator: Operator
  readonly reservationId: ReservationId
  readonly keyId: RoomKeyId
  readonly requestKey: string
}

/** Makes a key open the rooms that the stay has now, or some of them. */
export async function planRebind(
  deps: LockDeps,
  request: ChangeRequest & { readonly roomIds?: readonly RoomId[] | undefined },
  call: LockCall,
): Promise<NewLockAction> {
  const [key, stay] = await Promise.all([
    readKey(deps, request, call),
    readStay(deps, request, call),
  ])
  requireStaying(stay)
  const rooms = assignedRooms(stay, request.roomIds)
  const command = { action: 'rebind', rooms, priorRooms: key.rooms } as const
  return await planOf(deps, { ...request, key, command }, call)
}

/**
 * Until 30 minutes after check-out, unless an earlier end is given.
 * @throws Problem WINDOW_INVALID
 */
export async function planExtend(
  deps: LockDeps,
  request: ChangeRequest & { readonly validUntil?: IsoDateTime | undefined },
  call: LockCall,
): Promise<NewLockAction> {
  const [key, stay] = await Promise.all([
    readKey(deps, request, call),
    readStay(deps, request, call),
  ])
  requireStaying(stay)
  const { operator } = request
  const last = (await readValidity(deps, { operator, stay }, call)).validUntil
  const { validUntil = last } = request
  const untilMs = Date.parse(validUntil)
  if (untilMs <= deps.clock.nowMs() || untilMs > Date.parse(last)) {
    throw problem('MELMASTOON.LOCK.WINDOW_INVALID')
  }
  const command = { action: 'extend', rooms: key.rooms, validUntil } as const
  return await planOf(deps, { ...request, key, command }, call)
}

/** Another reservation's key is reported as an unknown one. */
export async function readKey(
  { upstreams: { lock } }: Pick<LockDeps, 'upstreams'>,
  { operator, reservationId, keyId }: Omit<ChangeRequest, 'requestKey'>,
  { deadline, trace }: Pick<LockCall, 'deadline' | 'trace'>,
): Promise<KeyCredentialDetail> {
  const { tenantId } = operator
  const key = await lock
    .getCredential({ params: { keyId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  if (key === null || key.reservationId !== reservationId) {
    throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  }
  requireProperty(operator, key.propertyId)
  return key
}

interface Planned extends ChangeRequest {
  readonly key: KeyCredentialDetail
  readonly command: LockCommand
}

export async function planOf(
  deps: LockDeps,
  { operator, reservationId, requestKey, key, command }: Planned,
  call: LockCall,
): Promise<NewLockAction> {
  const { propertyId, vendor, keyId } = key
  const { maxDelaySeconds } = await readLockSystem(deps, { operator, propertyId }, call)
  return {
    tenantId: operator.tenantId,
    propertyId,
    reservationId,
    actor: { operatorId: operator.operatorId, deviceId: operator.deviceId },
    vendor,
    maxDelaySeconds,
    command,
    keyId,
    requestKey,
  }
}
