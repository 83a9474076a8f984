import { defineContract } from '../contract.ts'
import { guestOperations } from './guest-operations.ts'
import { staffOperations } from './staff-operations.ts'

export { RESERVATION_MOVES, RESERVATION_STATUSES, type ReservationStatus } from './moves.ts'
export { Reservation, ReservationGuest } from './schemas.ts'
export {
  NightOccupancy,
  STAY_FLAGS,
  STAY_VIEWS,
  StaffStay,
  StayDetail,
  type StayFlag,
  type StayView,
} from './staff-operations.ts'

/** The part of the contract that guests cause through a booking service. */
export const guestReservationContract = defineContract({
  upstream: 'reservation',
  basePath: '/api/v1',
  operations: guestOperations,
})

export const reservationContract = defineContract({
  upstream: 'reservation',
  basePath: '/api/v1',
  operations: { ...guestOperations, ...staffOperations },
})
