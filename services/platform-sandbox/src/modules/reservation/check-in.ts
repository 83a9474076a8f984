import { problem, type RoomId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { assignedRooms, setRooms } from '../inventory/module.ts'
import { changeStay, type LockedStay } from './change-stay.ts'
import type { ReservationOperations } from './reservation.ts'
import type { ReservationHost } from './reservation-host.ts'
import { roomsNotReady } from './room-readiness.ts'
import { allocationOf, bookedRooms } from './stay.ts'
import { checkedInEvent } from './stay-events.ts'
import { checkMove } from './transitions.ts'

type CheckIn = ReservationOperations['checkIn']

export async function checkIn(
  host: ReservationHost,
  { params, body }: InputOf<CheckIn>,
  call: CallOf<CheckIn>,
): Promise<StayDetail> {
  return await changeStay(host, {
    ...params,
    body,
    call,
    async apply(locked) {
      checkMove(locked.row.status, 'checked_in')
      checkDay(locked)
      const rooms = await takeRooms(locked, body.roomIds)
      if (call.scenario === 'room-not-ready') throw problem('MELMASTOON.RESERVATION.ROOM_NOT_READY')
      await checkReady(host, locked, rooms)
      return { to: 'checked_in', reasonCode: 'checked_in', event: checkedInEvent }
    },
  })
}

/** From the day of arrival until before the day of departure, by the calendar of the hotel. */
function checkDay({ row, plan }: LockedStay): void {
  const { check_in: first, check_out: last } = row
  if (plan.today < first || plan.today >= last) {
    throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
  }
}

/** The given rooms, which replace the assigned ones, or else all assigned rooms. */
async function takeRooms(
  { tx, tenantId, row }: LockedStay,
  roomIds: readonly RoomId[] | undefined,
): Promise<readonly RoomId[]> {
  const allocationId = allocationOf(row)
  if (roomIds !== undefined) {
    await setRooms(tx, { tenantId, allocationId }, roomIds)
    return roomIds
  }
  const assigned = (await assignedRooms(tx, tenantId, [allocationId])).get(allocationId) ?? []
  if (assigned.length !== bookedRooms(row)) throw problem('MELMASTOON.RESERVATION.ROOMS_MISMATCH')
  return assigned.map(({ roomId }) => roomId)
}

/** @throws RESERVATION.ROOM_NOT_READY */
export async function checkReady(
  host: Pick<ReservationHost, 'housekeeping'>,
  { tx, tenantId, row, plan }: LockedStay,
  rooms: readonly RoomId[],
): Promise<void> {
  const notReady = await roomsNotReady(host, tx, { tenantId, row, plan, rooms })
  if (notReady.size > 0) throw problem('MELMASTOON.RESERVATION.ROOM_NOT_READY')
}
