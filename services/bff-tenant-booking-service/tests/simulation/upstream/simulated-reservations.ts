import type { Clock } from '@melmastoon/chassis/clock'
import {
  problem,
  type ReservationId,
  type RoomTypeId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import {
  type guestReservationContract,
  RESERVATION_MOVES,
  type Reservation,
  type ReservationStatus,
} from '@melmastoon/upstream-contracts/reservation'
import type { AuditLog } from './audit-log.ts'
import type { NewId } from './simulated-ids.ts'
import type { SimulatedPricing } from './simulated-pricing.ts'
import type { Allocation, RoomItem, SimulatedRooms } from './simulated-rooms.ts'
import type { SimulatedTenants } from './simulated-tenants.ts'

type Operations = typeof guestReservationContract.operations

interface Call {
  readonly tenantId: TenantId
  readonly key: string
}

interface Booking {
  reservation: Reservation
  allocation: Allocation
  /** Of the calls that created or changed it, oldest first. */
  readonly keys: string[]
}

const HOLD_CODES = {
  short: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
  busy: 'MELMASTOON.RESERVATION.HOLD_ACTIVE',
  session_full: 'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
} as const

const CONFIRM_CODES = {
  ...HOLD_CODES,
  busy: 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
  session_full: 'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
} as const

export interface ReservationDeps {
  readonly clock: Clock
  readonly newId: NewId
  readonly rooms: SimulatedRooms
  readonly pricing: SimulatedPricing
  readonly audit: AuditLog
  readonly tenants: SimulatedTenants
}

/** The reservations of the sandbox, in memory, with the same table of transitions. */
export class SimulatedReservations {
  readonly #deps: ReservationDeps
  readonly #bookings = new Map<ReservationId, Booking>()
  #codes = 0

  constructor(deps: ReservationDeps) {
    this.#deps = deps
    deps.rooms.onExpired = (allocation) => this.#expire(allocation)
  }

  all(): Reservation[] {
    return [...this.#bookings.values()].map(({ reservation }) => reservation)
  }

  hold({ body }: InputOf<Operations['hold']>, { tenantId, key }: Call): Reservation {
    const { rooms, pricing, newId, tenants } = this.#deps
    tenants.requireSelling(tenantId)
    const quote = pricing.bookable(tenantId, body.quoteId)
    const { expectedDigest = quote.digest, draftId, session } = body
    if (expectedDigest !== quote.digest) throw priceChanged(quote)
    const { propertyId, stay } = quote
    const reservationId = newId('rsv')
    const items = itemsOf(quote)
    const wanted = { tenantId, propertyId, reservationId, stay, items, holder: draftId, session }
    const allocation = rooms.take({ ...wanted, state: 'active' }, HOLD_CODES)
    const reservation = this.#toReservation(quote, allocation, body)
    this.#bookings.set(reservationId, { reservation, allocation, keys: [key] })
    this.#note(reservation, null, null)
    return reservation
  }

  get(tenantId: TenantId, reservationId: ReservationId): Reservation {
    return this.#find(tenantId, reservationId).reservation
  }

  getByKey(tenantId: TenantId, key: string): Reservation {
    const found = [...this.#bookings.values()].find(
      ({ reservation, keys }) => reservation.tenantId === tenantId && keys.includes(key),
    )
    if (found === undefined) throw problem('MELMASTOON.RESERVATION.NOT_FOUND')
    return found.reservation
  }

  extend({ params }: InputOf<Operations['extend']>, { tenantId, key }: Call): Reservation {
    const booking = this.#find(tenantId, params.reservationId)
    this.#requireHold(booking)
    this.#deps.rooms.extend(booking.allocation)
    return this.#move(booking, { to: 'held', key, reasonCode: 'extended' })
  }

  reprice({ params, body }: InputOf<Operations['reprice']>, { tenantId, key }: Call): Reservation {
    const booking = this.#find(tenantId, params.reservationId)
    this.#requireRooms(booking.allocation)
    const quote = this.#deps.pricing.bookable(tenantId, body.quoteId)
    if (!isSameStay(booking.reservation, quote)) {
      throw problem('MELMASTOON.RESERVATION.QUOTE_MISMATCH')
    }
    if (quote.digest !== body.expectedDigest) throw priceChanged(quote, booking.reservation.total)
    const { quoteId, digest, total } = quote
    const change = { to: 'held', key, reasonCode: 'repriced' } as const
    return this.#move(booking, { ...change, more: { quoteId, digest, total } })
  }

  confirm({ params, body }: InputOf<Operations['confirm']>, { tenantId, key }: Call): Reservation {
    const booking = this.#find(tenantId, params.reservationId)
    checkMove(booking.reservation.status, 'confirmed')
    if (booking.reservation.digest !== body.expectedDigest) {
      throw problem('MELMASTOON.PRICING.PRICE_CHANGED')
    }
    this.#sell(booking)
    const { method, paymentIntentId } = body.payment
    const payment = { method, ...(paymentIntentId !== undefined && { paymentIntentId }) }
    const confirmedAt = this.#now()
    return this.#move(booking, { to: 'confirmed', key, more: { payment, confirmedAt } })
  }

  cancel({ params, body }: InputOf<Operations['cancel']>, { tenantId, key }: Call): Reservation {
    const booking = this.#find(tenantId, params.reservationId)
    checkMove(booking.reservation.status, 'cancelled')
    if (booking.allocation.state !== 'expired') this.#deps.rooms.release(booking.allocation)
    const { reasonCode } = body
    const cancelledAt = this.#now()
    return this.#move(booking, { to: 'cancelled', key, reasonCode, more: { cancelledAt } })
  }

  /** The hold may have expired since, and then the rooms are taken again if they are free. */
  #sell(booking: Booking): void {
    const { rooms } = this.#deps
    const { status } = booking.reservation
    if (status === 'held' && rooms.commit(booking.allocation) === 'sold') return
    const { tenantId, propertyId, reservationId, stay, items, draftId } = booking.reservation
    const holder = draftId ?? reservationId
    const wanted = { tenantId, propertyId, reservationId, stay, items, holder, session: undefined }
    booking.allocation = rooms.take({ ...wanted, state: 'committed' }, CONFIRM_CODES)
  }

  #requireHold({ reservation, allocation }: Booking): void {
    const isExpired =
      reservation.status === 'expired_hold' || this.#deps.rooms.isExpired(allocation)
    if (isExpired) throw problem('MELMASTOON.RESERVATION.HOLD_EXPIRED')
    if (reservation.status !== 'held') throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
  }

  /** As the sandbox decides a new price: by the rooms, also after a cancellation. */
  #requireRooms(allocation: Allocation): void {
    const isExpired = allocation.state === 'expired' || this.#deps.rooms.isExpired(allocation)
    if (isExpired) throw problem('MELMASTOON.RESERVATION.HOLD_EXPIRED')
    if (allocation.state === 'active') return
    throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
  }

  #expire(allocation: Allocation): void {
    const booking = this.#bookings.get(allocation.reservationId)
    if (booking?.allocation !== allocation || booking.reservation.status !== 'held') return
    this.#move(booking, { to: 'expired_hold' })
  }

  #find(tenantId: TenantId, reservationId: ReservationId): Booking {
    const booking = this.#bookings.get(reservationId)
    if (booking?.reservation.tenantId === tenantId) return booking
    throw problem('MELMASTOON.RESERVATION.NOT_FOUND')
  }

  #move(
    booking: Booking,
    change: {
      readonly to: ReservationStatus
      readonly key?: string
      readonly reasonCode?: string
      readonly more?: Partial<Reservation>
    },
  ): Reservation {
    const { reservation: before, allocation } = booking
    const { to, key, reasonCode, more } = change
    const version = before.version + 1
    const entry = { version, status: to, at: this.#now(), ...(reasonCode && { reasonCode }) }
    booking.reservation = {
      ...before,
      ...more,
      status: to,
      version,
      allocationId: allocation.allocationId,
      holdExpiresAt: toIsoDateTime(new Date(allocation.expiresAtMs)),
      holdExtensions: allocation.extensions,
      history: [...before.history, entry],
    }
    if (key !== undefined) booking.keys.push(key)
    this.#note(booking.reservation, before.status, reasonCode ?? null)
    return booking.reservation
  }

  #note(reservation: Reservation, from: ReservationStatus | null, reasonCode: string | null): void {
    const { tenantId, reservationId, draftId, status, total, digest, payment } = reservation
    this.#deps.audit.add(tenantId, {
      kind: 'reservation',
      reservationId,
      draftId: draftId ?? null,
      from,
      to: status,
      total,
      digest: digest ?? null,
      paymentIntentId: payment?.paymentIntentId ?? null,
      reasonCode,
    })
  }

  #toReservation(
    { quoteId, propertyId, digest, total }: Quote,
    allocation: Allocation,
    { draftId, guestLocale }: InputOf<Operations['hold']>['body'],
  ): Reservation {
    const { tenantId, reservationId, allocationId, stay, items } = allocation
    const createdAt = toIsoDateTime(new Date(allocation.createdAtMs))
    return {
      reservationId,
      code: this.#newCode(),
      tenantId,
      propertyId,
      status: 'held',
      stay,
      items,
      total,
      guestLocale,
      quoteId,
      draftId,
      allocationId,
      digest,
      holdExpiresAt: toIsoDateTime(new Date(allocation.expiresAtMs)),
      holdExtensions: 0,
      createdAt,
      version: 1,
      history: [{ version: 1, status: 'held', at: createdAt }],
    }
  }

  /** Of the letters and digits of real codes. */
  #newCode(): string {
    this.#codes += 1
    return String(this.#codes)
      .padStart(8, '0')
      .replaceAll(/[01]/g, (digit) => (digit === '0' ? 'A' : 'B'))
  }

  #now() {
    return toIsoDateTime(this.#deps.clock.now())
  }
}

function checkMove(from: ReservationStatus, to: ReservationStatus): void {
  if (RESERVATION_MOVES[from].includes(to)) return
  throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
}

function priceChanged({ digest, total }: Quote, previous?: Quote['total']) {
  const extensions = { currentDigest: digest, current: total, ...(previous && { previous }) }
  return problem('MELMASTOON.PRICING.PRICE_CHANGED', { extensions })
}

/** Each room type once, in ascending order. */
function itemsOf({ rooms }: Pick<Quote, 'rooms'>): RoomItem[] {
  const counts = new Map<RoomTypeId, number>()
  for (const { roomTypeId, quantity } of rooms) {
    counts.set(roomTypeId, (counts.get(roomTypeId) ?? 0) + quantity)
  }
  return [...counts]
    .map(([roomTypeId, count]) => ({ roomTypeId, rooms: count }))
    .toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1))
}

function isSameStay(reservation: Reservation, quote: Quote): boolean {
  const of = (propertyId: string, stay: Quote['stay'], items: readonly RoomItem[]) =>
    JSON.stringify([propertyId, stay.checkIn, stay.checkOut, items])
  return (
    of(reservation.propertyId, reservation.stay, reservation.items) ===
    of(quote.propertyId, quote.stay, itemsOf(quote))
  )
}
