import type { Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { allocationEvents, HoldRejected, type RejectionCodes } from '../inventory/module.ts'
import { moveReservation } from './move-reservation.ts'
import { readReservation } from './read-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import { confirmedEvent } from './reservation-events.ts'
import { isHoldExpired, type ReservationHost, toIllegalMove } from './reservation-host.ts'
import { checkMove } from './transitions.ts'

type Confirm = ReservationOperations['confirm']

const CODES: RejectionCodes = {
  short: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  busy: 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  session_full: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  expired: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
}

/**
 * Sells the held rooms. An expired hold is first expired like any other, and the rooms are taken
 * again in a second transaction, if they are still available.
 */
export async function confirmReservation(
  host: ReservationHost,
  { params, body }: InputOf<Confirm>,
  call: CallOf<Confirm>,
): Promise<Reservation> {
  const { tenantId, cause } = call
  return await host.inventory.withReclaim(tenantId, CODES, () =>
    host.db.withTenant(tenantId, async (tx) => {
      const reservation = await readReservation(tx, { tenantId, ...params })
      checkMove(reservation.status, 'confirmed')
      if (reservation.digest !== body.expectedDigest) {
        throw problem('MELMASTOON.PRICING.PRICE_CHANGED')
      }
      const allocation = await sellRooms(host, tx, reservation)
      const { payment, guest, expectedDigest } = body
      const move = { to: 'confirmed', allocation, call, payment, guest, expectedDigest } as const
      const confirmed = await moveReservation(tx, reservation, move)
      if (confirmed.quoteId) await host.pricing.confirmPromotion(tx, confirmed.quoteId)
      await appendEvents(tx, [
        ...allocationEvents('committed', allocation, cause),
        confirmedEvent(confirmed, reservation.status, cause),
      ])
      const response = await call.finish(tx, confirmed)
      crashPoint('reservation.before_confirm_commit')
      return response
    }),
  )
}

async function sellRooms(
  { inventory }: ReservationHost,
  tx: Tx,
  reservation: Reservation,
): Promise<Allocation> {
  const { tenantId, allocationId, status } = reservation
  if (status === 'expired_hold') return await sellAgain(inventory, tx, reservation)
  return await inventory.commitHold(tx, { tenantId, allocationId }).catch((error: unknown) => {
    throw isHoldExpired(error) ? expiredHold(reservation) : toIllegalMove(error)
  })
}

function sellAgain(
  inventory: ReservationHost['inventory'],
  tx: Tx,
  reservation: Reservation,
): Promise<Allocation> {
  const { tenantId, propertyId, reservationId, stay, items } = reservation
  const holder = reservation.draftId ?? reservationId
  const rooms = { tenantId, propertyId, reservationId, stay, items, holder }
  return inventory.takeRooms(tx, { ...rooms, state: 'committed' })
}

/** The next attempt finds the reservation as `expired_hold`, whichever process expired its hold. */
function expiredHold(reservation: Reservation): HoldRejected {
  const blockers = ownHold(reservation)
  return new HoldRejected({ reason: 'expired', remedy: 'reclaim', blockers })
}

/** The hold of this reservation and no other. */
export function ownHold({ tenantId, allocationId, stay }: Reservation) {
  return {
    tenant: idToUuid(tenantId),
    roomTypes: [],
    ...stay,
    holder: null,
    session: null,
    allocation: idToUuid(allocationId),
  }
}
