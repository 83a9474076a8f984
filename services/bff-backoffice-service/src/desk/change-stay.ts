import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Id, ProblemCode, ReservationId } from '@melmastoon/domain'
import type { reservationContract, StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { type Operator, requireProperty } from '../access/operator.ts'
import {
  type ChangeCall,
  changeBody,
  passing,
  type StaffChange,
} from '../upstreams/staff-change.ts'

export interface StayDeps {
  readonly upstreams: {
    readonly reservation: Pick<
      ClientOf<typeof reservationContract>,
      'getStay' | 'checkIn' | 'checkOut'
    >
  }
}

export const CHECK_OUT_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  'MELMASTOON.RESERVATION.VERSION_CONFLICT',
] as const satisfies readonly ProblemCode[]

export const CHECK_IN_PROBLEMS = [
  ...CHECK_OUT_PROBLEMS,
  'MELMASTOON.RESERVATION.ROOM_NOT_AVAILABLE',
  'MELMASTOON.RESERVATION.ROOM_NOT_READY',
  'MELMASTOON.RESERVATION.ROOMS_MISMATCH',
] as const satisfies readonly ProblemCode[]

/** @throws Problem RESOURCE_NOT_FOUND, also for a stay at a property out of scope. */
export async function requireStay(
  { upstreams }: StayDeps,
  wanted: { readonly operator: Operator; readonly reservationId: ReservationId },
  call: UpstreamCall,
): Promise<StayDetail> {
  const { operator, reservationId } = wanted
  const { tenantId } = operator
  const stay = await upstreams.reservation
    .getStay({ params: { reservationId } }, { ...call, tenantId })
    .catch(passing([]))
  requireProperty(operator, stay.propertyId)
  return stay
}

export interface StayChange extends StaffChange {
  readonly reservationId: ReservationId
}

/** Requires, as does the check-out, that the scope was checked. */
export async function checkIn(
  { upstreams }: StayDeps,
  change: StayChange & { readonly roomIds?: Id<'rmu'>[] | undefined },
  call: ChangeCall,
): Promise<StayDetail> {
  const { reservationId, roomIds } = change
  const body = { ...(roomIds !== undefined && { roomIds }), ...changeBody(change) }
  const { tenantId } = change.actor
  return await upstreams.reservation
    .checkIn({ params: { reservationId }, body }, { ...call, tenantId })
    .catch(passing(CHECK_IN_PROBLEMS))
}

/** The keys of the stay are revoked because of the event that the reservation service publishes. */
export async function checkOut(
  { upstreams }: StayDeps,
  change: StayChange,
  call: ChangeCall,
): Promise<StayDetail> {
  const { reservationId } = change
  const { tenantId } = change.actor
  return await upstreams.reservation
    .checkOut({ params: { reservationId }, body: changeBody(change) }, { ...call, tenantId })
    .catch(passing(CHECK_OUT_PROBLEMS))
}
