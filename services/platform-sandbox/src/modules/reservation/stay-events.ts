import type { RoomId } from '@melmastoon/domain'
import {
  platformRegistry,
  reservationCheckedIn,
  reservationCheckedOut,
  reservationNoShow,
  reservationRoomAssigned,
} from '@melmastoon/platform-events'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import type { LockedStay, StaffChange, StayMove } from './change-stay.ts'

type BuildEvent = StayMove['event']

export const checkedInEvent: BuildEvent = (before, after, change) => {
  const payload = { ...payloadOf(before, after, change), total: after.total }
  return platformRegistry.build(reservationCheckedIn.subject, payload, change.cause)
}

export const checkedOutEvent: BuildEvent = (before, after, change) =>
  platformRegistry.build(
    reservationCheckedOut.subject,
    payloadOf(before, after, change),
    change.cause,
  )

export const noShowEvent: BuildEvent = (before, after, change) =>
  platformRegistry.build(reservationNoShow.subject, payloadOf(before, after, change), change.cause)

/** `priorRoomIds`: the rooms that were assigned before. */
export function roomAssignedEvent(priorRoomIds: RoomId[]): BuildEvent {
  return (before, after, change) => {
    const payload = { ...payloadOf(before, after, change), priorRoomIds }
    return platformRegistry.build(reservationRoomAssigned.subject, payload, change.cause)
  }
}

function payloadOf({ tenantId, row }: LockedStay, after: StayDetail, { body }: StaffChange) {
  return {
    tenantId,
    propertyId: after.propertyId,
    reservationId: after.reservationId,
    priorStatus: row.status,
    status: after.status,
    version: after.version,
    occurredAt: after.updatedAt,
    causationId: body.causationId ?? null,
    roomIds: after.rooms.map(({ roomId }) => roomId),
  }
}
