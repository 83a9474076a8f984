import type { PropertyId, TenantId } from '@melmastoon/domain'
import { type Reservation, reservationContract } from '@melmastoon/upstream-contracts/reservation'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { assignRooms } from './assign-rooms.ts'
import { cancelReservation } from './cancel-reservation.ts'
import { checkIn } from './check-in.ts'
import { checkOut } from './check-out.ts'
import { confirmReservation } from './confirm-reservation.ts'
import { expireHold } from './expire-hold.ts'
import { extendReservation } from './extend-reservation.ts'
import { holdReservation } from './hold-reservation.ts'
import { markNoShow } from './mark-no-show.ts'
import {
  type ActiveHold,
  type ReservationRef,
  readActiveHolds,
  readReservation,
  readReservationByKey,
} from './read-reservation.ts'
import { getStay, listAvailableRooms, listForDay, readOccupancy } from './read-stays.ts'
import { repriceReservation } from './reprice-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import type { Siblings } from './reservation-host.ts'

export { onHoldsExpired } from './expire-handler.ts'
export type { ActiveHold } from './read-reservation.ts'

export interface ReservationModule extends ServedModule<ReservationOperations> {
  /** For simulations. Throws `RESERVATION.NOT_FOUND`, `HOLD_EXPIRED` or `ILLEGAL_TRANSITION`. */
  expireHold(ref: ReservationRef): Promise<Reservation>
  /** The newest first. */
  activeHolds(tenantId: TenantId, propertyId: PropertyId): Promise<readonly ActiveHold[]>
}

/** Turns a quote into a reservation: held, confirmed, cancelled or expired, each at most once. */
export function createReservationModule(
  moduleHost: ModuleHost,
  siblings: Siblings,
): ReservationModule {
  const host = { ...moduleHost, ...siblings }
  const { db } = host
  return {
    contract: reservationContract,
    expireHold: (ref) => expireHold(host, ref),
    activeHolds: (tenantId, propertyId) => readActiveHolds(db.scoped(tenantId), propertyId),
    handlers: {
      hold: (input, call) => holdReservation(host, input, call),
      get: ({ params }, { tenantId }) =>
        readReservation(db.scoped(tenantId), { tenantId, ...params }),
      getByKey: ({ params }, { tenantId, caller }) =>
        readReservationByKey(db.scoped(tenantId), tenantId, { caller, ...params }),
      extend: (input, call) => extendReservation(host, input, call),
      reprice: (input, call) => repriceReservation(host, input, call),
      confirm: (input, call) => confirmReservation(host, input, call),
      cancel: (input, call) => cancelReservation(host, input, call),
      listForDay: (input, { tenantId }) => listForDay(db.scoped(tenantId), input, tenantId),
      occupancy: (input, { tenantId }) => readOccupancy(db.scoped(tenantId), input, tenantId),
      getStay: ({ params }, { tenantId }) => getStay(db.scoped(tenantId), { tenantId, ...params }),
      availableRooms: ({ params }, { tenantId }) =>
        listAvailableRooms(host, { tenantId, ...params }),
      assignRooms: (input, call) => assignRooms(host, input, call),
      checkIn: (input, call) => checkIn(host, input, call),
      checkOut: (input, call) => checkOut(host, input, call),
      markNoShow: (input, call) => markNoShow(host, input, call),
    },
  }
}
