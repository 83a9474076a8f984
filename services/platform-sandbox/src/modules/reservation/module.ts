import type { PropertyId, TenantId } from '@melmastoon/domain'
import {
  guestReservationContract,
  type Reservation,
} from '@melmastoon/upstream-contracts/reservation'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { cancelReservation } from './cancel-reservation.ts'
import { confirmReservation } from './confirm-reservation.ts'
import { expireHold } from './expire-hold.ts'
import { extendReservation } from './extend-reservation.ts'
import { holdReservation } from './hold-reservation.ts'
import {
  type ActiveHold,
  type ReservationRef,
  readActiveHolds,
  readReservation,
  readReservationByKey,
} from './read-reservation.ts'
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
    contract: guestReservationContract,
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
    },
  }
}
