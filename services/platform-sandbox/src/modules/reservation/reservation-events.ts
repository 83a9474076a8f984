import { type IsoDateTime, parseIsoDateTime } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  platformRegistry,
  reservationCancelled,
  reservationConfirmed,
  reservationHeld,
  reservationHoldExpired,
} from '@melmastoon/platform-events'
import type { Reservation, ReservationStatus } from '@melmastoon/upstream-contracts/reservation'

type Moved = Pick<Reservation, 'tenantId' | 'propertyId' | 'reservationId'>

interface Move {
  readonly reservation: Moved
  readonly from: ReservationStatus | null
  readonly to: ReservationStatus
  readonly at: IsoDateTime
}

export function heldEvent(
  reservation: Moved,
  { createdAt, expiresAt }: { createdAt: IsoDateTime; expiresAt: IsoDateTime },
  cause: EventContext,
): OutboxEvent {
  const moved = moveOf({ reservation, from: 'quoted', to: 'held', at: createdAt })
  const payload = { ...moved, holdExpiresAt: expiresAt }
  return platformRegistry.build(reservationHeld.subject, payload, cause)
}

export function confirmedEvent(
  reservation: Reservation,
  from: ReservationStatus,
  cause: EventContext,
): OutboxEvent {
  const moved = moveOf({ reservation, from, to: 'confirmed', at: lastMoveOf(reservation) })
  const payload = { ...moved, total: reservation.total }
  return platformRegistry.build(reservationConfirmed.subject, payload, cause)
}

export function cancelledEvent(
  reservation: Reservation,
  { from, reasonCode }: { from: ReservationStatus; reasonCode: string },
  cause: EventContext,
): OutboxEvent {
  const moved = moveOf({ reservation, from, to: 'cancelled', at: lastMoveOf(reservation) })
  return platformRegistry.build(reservationCancelled.subject, { ...moved, reasonCode }, cause)
}

export function holdExpiredEvent(
  reservation: Moved,
  at: IsoDateTime,
  cause: EventContext,
): OutboxEvent {
  const payload = moveOf({ reservation, from: 'held', to: 'expired_hold', at })
  return platformRegistry.build(reservationHoldExpired.subject, payload, cause)
}

function moveOf({ reservation, from, to, at }: Move) {
  const { tenantId, propertyId, reservationId } = reservation
  return { tenantId, propertyId, reservationId, priorStatus: from, status: to, occurredAt: at }
}

function lastMoveOf({ history, createdAt }: Reservation): IsoDateTime {
  return parseIsoDateTime(history.at(-1)?.at ?? createdAt)
}
