import { asRejectedRequest } from '@melmastoon/bff/upstreams'
import { problem, type ReservationId, type RoomId } from '@melmastoon/domain'
import type { KeyKind } from '@melmastoon/upstream-contracts/lock'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import type { Operator } from '../access/operator.ts'
import type { NewLockAction } from './lock-action.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { readStay, readValidity, requireStaying } from './read-stay.ts'

export interface IssueRequest {
  readonly operator: Operator
  readonly reservationId: ReservationId
  /** All assigned rooms by default. */
  readonly roomIds?: readonly RoomId[] | undefined
  readonly kind?: KeyKind | undefined
  readonly additional?: boolean | undefined
  readonly requestKey: string
}

/** @throws Problem ROOM_NOT_AVAILABLE, ILLEGAL_TRANSITION, WINDOW_INVALID */
export async function planIssue(
  deps: LockDeps,
  request: IssueRequest,
  call: LockCall,
): Promise<NewLockAction> {
  const { operator, reservationId, requestKey, additional = false } = request
  const stay = await readStay(deps, request, call)
  requireStaying(stay)
  const rooms = assignedRooms(stay, request.roomIds)
  const [system, validity] = await Promise.all([
    readLockSystem(deps, { operator, propertyId: stay.propertyId }, call),
    readValidity(deps, { operator, stay }, call),
  ])
  if (Date.parse(validity.validUntil) <= deps.clock.nowMs()) {
    throw problem('MELMASTOON.LOCK.WINDOW_INVALID')
  }
  const { vendor, kinds, maxDelaySeconds } = system
  const kind = request.kind ?? (kinds.includes('pin_code') ? 'pin_code' : kinds[0])
  if (kind === undefined) throw problem('MELMASTOON.LOCK.NO_CAPABLE_DEVICE')
  return {
    tenantId: operator.tenantId,
    propertyId: stay.propertyId,
    reservationId,
    actor: { operatorId: operator.operatorId, deviceId: operator.deviceId },
    vendor,
    maxDelaySeconds,
    command: { action: 'issue', rooms, kind, ...validity, isAdditional: additional },
    keyId: null,
    requestKey,
  }
}

/** A key opens rooms of the stay only. */
export function assignedRooms(stay: StayDetail, wanted: readonly RoomId[] | undefined): RoomId[] {
  const assigned = stay.rooms.map(({ roomId }) => roomId)
  const rooms = wanted ?? assigned
  if (rooms.length === 0 || rooms.some((room) => !assigned.includes(room))) {
    throw problem('MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE')
  }
  return [...rooms]
}

export async function readLockSystem(
  { upstreams: { lock } }: Pick<LockDeps, 'upstreams'>,
  {
    operator,
    propertyId,
  }: {
    readonly operator: Pick<Operator, 'tenantId'>
    readonly propertyId: NewLockAction['propertyId']
  },
  { deadline, trace }: Pick<LockCall, 'deadline' | 'trace'>,
) {
  return await lock
    .getVendor({ params: { propertyId } }, { deadline, trace, tenantId: operator.tenantId })
    .catch(asRejectedRequest)
}
