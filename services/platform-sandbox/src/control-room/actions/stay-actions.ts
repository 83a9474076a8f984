import { parseId, type RoomId, type TenantId } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { Type } from 'typebox'
import type { ControlRoom, Operator } from '../control-room.ts'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'

/** The member of staff in the history of what the control room changes. */
export const CONTROL_ROOM_ACTOR = {
  operatorId: parseId('opr', `opr_${'0'.repeat(26)}`),
  deviceId: parseId('dev', `dev_${'0'.repeat(26)}`),
}

const StayParams = Type.Object({ tenantId: id('tnt'), reservationId: id('rsv') })
const change = { actor: CONTROL_ROOM_ACTOR }
const onStay = { section: 'front-desk', params: StayParams, body: Type.Object({}) } as const

export const checkInGuest = defineAction({
  ...onStay,
  name: 'reservation.check-in',
  path: '/tenants/:tenantId/reservations/:reservationId/check-in',
  summary: 'Check guests in, in their rooms or in the first ones that are ready',
  done: 'The guests are checked in.',
  async run(room, { params }, operator) {
    const { tenantId, reservationId } = params
    const roomIds = await chooseRooms(room, params, operator)
    return await room.modules.reservation.handlers.checkIn(
      { params: { reservationId }, body: { ...change, roomIds } },
      tenantCall(operator, tenantId),
    )
  },
})

export const checkOutGuest = defineAction({
  ...onStay,
  name: 'reservation.check-out',
  path: '/tenants/:tenantId/reservations/:reservationId/check-out',
  summary: 'Check guests out',
  done: 'The guests are checked out.',
  run: (room, { params: { tenantId, reservationId } }, operator) =>
    room.modules.reservation.handlers.checkOut(
      { params: { reservationId }, body: change },
      tenantCall(operator, tenantId),
    ),
})

export const markGuestNoShow = defineAction({
  ...onStay,
  name: 'reservation.no-show',
  path: '/tenants/:tenantId/reservations/:reservationId/no-show',
  summary: 'Record that guests have not arrived',
  done: 'The guests are recorded as not arrived.',
  run: (room, { params: { tenantId, reservationId } }, operator) =>
    room.modules.reservation.handlers.markNoShow(
      { params: { reservationId }, body: change },
      tenantCall(operator, tenantId),
    ),
})

interface StayRef {
  readonly tenantId: TenantId
  readonly reservationId: StayDetail['reservationId']
}

/** The assigned rooms, and for each missing one the first of its type that is ready. */
async function chooseRooms(
  { modules }: ControlRoom,
  { tenantId, reservationId }: StayRef,
  operator: Operator,
): Promise<RoomId[]> {
  const { getStay, availableRooms } = modules.reservation.handlers
  const call = tenantCall(operator, tenantId)
  const { items, rooms } = await getStay({ params: { reservationId } }, call)
  const available = await availableRooms({ params: { reservationId } }, call)
  const ready = available.rooms.filter(({ isReady }) => isReady)
  return items.flatMap(({ roomTypeId, rooms: count }) => {
    const isOfType = (room: { roomTypeId: string }) => room.roomTypeId === roomTypeId
    const assigned = rooms.filter(isOfType).map(({ roomId }) => roomId)
    const others = ready.filter(isOfType).map(({ roomId }) => roomId)
    return [...new Set([...assigned, ...others])].slice(0, count)
  })
}
