import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { RESERVATION_STATUSES, type StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { type Static, Type } from 'typebox'

/** A stay after a change; the guest is on the boards. */
export const ChangedStay = named(
  'ChangedStay',
  Type.Object({
    reservationId: Type.String({ pattern: idPattern('rsv') }),
    propertyId: Type.String({ pattern: idPattern('ppt') }),
    status: Type.Enum([...RESERVATION_STATUSES]),
    version: Type.Integer({ minimum: 1 }),
    updatedAt: Type.String({ format: 'date-time' }),
    rooms: Type.Array(
      Type.Object({
        roomId: Type.String({ pattern: idPattern('rmu') }),
        number: Type.String(),
      }),
    ),
    folioId: Type.Optional(Type.String({ pattern: idPattern('fol') })),
  }),
)

export function describeStay(stay: StayDetail): Static<typeof ChangedStay> {
  const { reservationId, propertyId, status, version, updatedAt, rooms, folioId } = stay
  return {
    reservationId,
    propertyId,
    status,
    version,
    updatedAt,
    rooms: rooms.map(({ roomId, number }) => ({ roomId, number })),
    ...(folioId !== undefined && { folioId }),
  }
}
