import type { Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { newId, problem, type TenantId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import type { Reservation } from '@melmastoon/upstream-contracts/reservation'
import type { CallOf } from '../../contract-handlers.ts'
import { allocationEvents, type RejectionCodes, type RoomsWanted } from '../inventory/module.ts'
import { priceChanged } from './price-changed.ts'
import type { ReservationOperations } from './reservation.ts'
import { newReservationCode } from './reservation-code.ts'
import { heldEvent } from './reservation-events.ts'
import type { ReservationHost } from './reservation-host.ts'
import { insertReservation } from './reservation-sql.ts'

type Hold = ReservationOperations['hold']
type HoldBody = InputOf<Hold>['body']

const CODES: RejectionCodes = {
  short: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  busy: 'MELMASTOON.RESERVATION.HOLD_ACTIVE',
  session_full: 'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
  expired: 'MELMASTOON.RESERVATION.HOLD_EXPIRED',
}

/** Rooms, reservation, events and response are committed together. */
export async function holdReservation(
  host: ReservationHost,
  { body }: InputOf<Hold>,
  call: CallOf<Hold>,
): Promise<Reservation> {
  const { tenantId } = call
  if (call.scenario === 'sold-out') throw problem(CODES.short)
  await host.tenant.checkSelling(tenantId)
  const quote = await host.pricing.quoteById(host.db.scoped(tenantId), body.quoteId)
  const { expectedDigest = quote.digest } = body
  if (expectedDigest !== quote.digest) throw priceChanged(quote)
  const wanted = roomsOf(quote, { body, tenantId })
  return await host.inventory.withReclaim(tenantId, CODES, async () => {
    await host.inventory.checkRooms(wanted)
    return await host.db.withTenant(tenantId, async (tx) => {
      const hold = await host.inventory.takeRooms(tx, wanted)
      const reservation = toReservation(quote, hold, body)
      await storeReservation(tx, { reservation, hold, call, party: quote.occupancy })
      const response = await call.finish(tx, reservation)
      crashPoint('reservation.before_hold_commit')
      return response
    })
  })
}

function roomsOf(
  { propertyId, stay, rooms }: Quote,
  { body, tenantId }: { body: HoldBody; tenantId: TenantId },
): RoomsWanted {
  return {
    tenantId,
    propertyId,
    reservationId: newId('rsv'),
    stay,
    items: rooms.map(({ roomTypeId, quantity }) => ({ roomTypeId, rooms: quantity })),
    holder: body.draftId,
    session: body.session,
    state: 'active',
  }
}

function toReservation(quote: Quote, hold: Allocation, body: HoldBody): Reservation {
  const { reservationId } = hold
  if (reservationId === undefined) throw new TypeError('rooms were held without a reservation')
  return {
    reservationId,
    code: newReservationCode(),
    tenantId: hold.tenantId,
    propertyId: hold.propertyId,
    status: 'held',
    stay: hold.stay,
    items: hold.items,
    total: quote.total,
    guestLocale: body.guestLocale,
    quoteId: quote.quoteId,
    draftId: body.draftId,
    allocationId: hold.allocationId,
    digest: quote.digest,
    holdExpiresAt: hold.expiresAt,
    holdExtensions: 0,
    createdAt: hold.createdAt,
    version: 1,
    history: [{ version: 1, status: 'held', at: hold.createdAt }],
  }
}

interface NewReservation {
  readonly reservation: Reservation
  readonly hold: Allocation
  readonly call: CallOf<Hold>
  readonly party: Quote['occupancy']
}

async function storeReservation(
  tx: Tx,
  { reservation, hold, call, party }: NewReservation,
): Promise<void> {
  const { cause, caller, key } = call
  const events = [
    ...allocationEvents('requested', hold, cause),
    heldEvent(reservation, hold, cause),
  ]
  await tx.query(insertReservation({ reservation, caller, key, events, party }))
}
