import { problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { assignedRooms, setRooms } from '../inventory/module.ts'
import { changeStay } from './change-stay.ts'
import { checkReady } from './check-in.ts'
import type { ReservationOperations } from './reservation.ts'
import type { ReservationHost } from './reservation-host.ts'
import { allocationOf, isInHouse } from './stay.ts'
import { roomAssignedEvent } from './stay-events.ts'

type AssignRooms = ReservationOperations['assignRooms']

/** Before arrival any free room; guests in house can only move into a room that is ready. */
export async function assignRooms(
  host: ReservationHost,
  { params, body }: InputOf<AssignRooms>,
  call: CallOf<AssignRooms>,
): Promise<StayDetail> {
  return await changeStay(host, {
    ...params,
    body,
    call,
    async apply(locked) {
      const { tx, tenantId, row } = locked
      if (row.status !== 'confirmed' && !isInHouse(row.status)) {
        throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
      }
      const allocationId = allocationOf(row)
      const rooms = await assignedRooms(tx, tenantId, [allocationId])
      const prior = (rooms.get(allocationId) ?? []).map(({ roomId }) => roomId)
      await setRooms(tx, { tenantId, allocationId }, body.roomIds)
      if (isInHouse(row.status)) {
        const added = body.roomIds.filter((roomId) => !prior.includes(roomId))
        await checkReady(host, locked, added)
      }
      return { to: row.status, reasonCode: 'rooms_assigned', event: roomAssignedEvent(prior) }
    },
  })
}
