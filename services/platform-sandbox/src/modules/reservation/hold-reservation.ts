import type { Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { newId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { allocationEvents, type RefusalCodes } from '../inventory/module.ts'
import type { ReservationOperations } from './reservation.ts'
import { newReservationCode } from './reservation-code.ts'
import { heldEvent } from './reservation-events.ts'
import type { ReservationHost } from './reservation-host.ts'
import { insertReservation } from './sql/insert-reservation.ts'

type Hold = ReservationOperations['hold']
type HoldBody = InputOf<Hold>['body']

const CODES: RefusalCodes = {
  short: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  busy: 'MELMASTOON.RESERVATION.HOLD_ACTIVE',
  session_full: 'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
  lapsed: 'MELMASTOON.RESERVATION.HOLD_EXPIRED',
}

/** Rooms, reservation, events and answer come to be together or not at all. */
export async function holdReservation(
  host: ReservationHost,
  { body }: InputOf<Hold>,
  call: CallOf<Hold>,
): Promise<Reservation> {
  const { tenantId } = call
  if (call.scenario === 'sold-out') throw problem(CODES.short)
  return await host.inventory.withReclaim(tenantId, CODES, () =>
    host.db.withTenant(tenantId, async (tx) => {
      const quote = await host.pricing.quoteById(tx, body.quoteId)
      const reservation = await bookHeld(host, tx, { quote, body, call })
      const answer = await call.finish(tx, reservation)
      crashPoint('reservation.before_hold_commit')
      return answer
    }),
  )
}

interface Booking {
  readonly quote: Quote
  readonly body: HoldBody
  readonly call: CallOf<Hold>
}

async function bookHeld(
  { inventory }: ReservationHost,
  tx: Tx,
  { quote, body, call }: Booking,
): Promise<Reservation> {
  const { tenantId, cause, caller, key } = call
  const { quoteId, propertyId, total, digest } = quote
  const reservationId = newId('rsv')
  const hold = await inventory.takeRooms(tx, {
    tenantId,
    propertyId,
    reservationId,
    stay: quote.stay,
    items: quote.rooms.map(({ roomTypeId, quantity }) => ({ roomTypeId, rooms: quantity })),
    holder: body.draftId,
    session: body.session,
    state: 'active',
  })
  const reservation: Reservation = {
    reservationId,
    code: newReservationCode(),
    tenantId,
    propertyId,
    status: 'held',
    stay: hold.stay,
    items: hold.items,
    total,
    guestLocale: body.guestLocale,
    quoteId,
    draftId: body.draftId,
    allocationId: hold.allocationId,
    digest,
    holdExpiresAt: hold.expiresAt,
    holdExtensions: 0,
    createdAt: hold.createdAt,
    version: 1,
    history: [{ version: 1, status: 'held', at: hold.createdAt }],
  }
  const events = [
    ...allocationEvents('requested', hold, cause),
    heldEvent(reservation, hold, cause),
  ]
  await tx.query(insertReservation({ reservation, caller, key, events }))
  return reservation
}
