import { asAbsent } from '@melmastoon/bff/upstreams'
import { problem, type ReservationId } from '@melmastoon/domain'
import type { StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { type Operator, requireProperty } from '../access/operator.ts'
import { readHotelDay } from '../properties/read-hotel-day.ts'
import type { LockCall, LockDeps } from './lock-deps.ts'
import { validityOf } from './validity.ts'

const IN_HOUSE: ReadonlySet<StayDetail['status']> = new Set(['checked_in', 'in_house'])

/** The stay of a property that the operator may use, else as an unknown one. */
export async function readStay(
  { upstreams: { reservation } }: LockDeps,
  {
    operator,
    reservationId,
  }: { readonly operator: Operator; readonly reservationId: ReservationId },
  { deadline, trace }: LockCall,
): Promise<StayDetail> {
  const { tenantId } = operator
  const stay = await reservation
    .getStay({ params: { reservationId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  if (stay === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  requireProperty(operator, stay.propertyId)
  return stay
}

/** Before arrival and during the stay; false before the confirmation and after the end. */
export function isStaying({ status }: Pick<StayDetail, 'status'>): boolean {
  return status === 'confirmed' || IN_HOUSE.has(status)
}

export function requireStaying(stay: StayDetail): void {
  if (isStaying(stay)) return
  throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
}

export async function readValidity(
  deps: LockDeps,
  { operator, stay }: { readonly operator: Operator; readonly stay: StayDetail },
  call: LockCall,
) {
  const { propertyId, checkIn, checkOut, status } = stay
  const hotel = await readHotelDay(deps, { tenantId: operator.tenantId, propertyId }, call)
  const isInHouse = IN_HOUSE.has(status)
  return validityOf({ ...hotel, checkIn, checkOut, isInHouse }, deps.clock.now())
}
