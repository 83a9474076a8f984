import { Type } from 'typebox'
import { id, locale, text } from '../schemas.ts'
import { Digest, ReasonCode, Reservation, ReservationGuest, ReservationParams } from './schemas.ts'

/** Hold, confirm and cancel: what the guest does. */
export const guestOperations = {
  hold: {
    method: 'POST',
    path: '/reservations/holds',
    summary: 'Hold the rooms of a quote for ten minutes',
    status: 201,
    body: Type.Object({
      quoteId: id('qte'),
      /** A draft has at most one active reservation. */
      draftId: id('bdr'),
      guestLocale: locale(),
      /** A pseudonymous session id: limits how much one visitor can hold. */
      session: Type.Optional(text(100)),
      /** A digest other than that of the quote is rejected as a changed price. */
      expectedDigest: Type.Optional(Digest),
    }),
    response: Reservation,
    tenantScoped: true,
    idempotent: true,
    errorCodes: [
      'MELMASTOON.TENANT.SUSPENDED',
      'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
      'MELMASTOON.PRICING.QUOTE_EXPIRED',
      'MELMASTOON.PRICING.PRICE_CHANGED',
      'MELMASTOON.INVENTORY.STAY_INVALID',
      'MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND',
      'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
      'MELMASTOON.RESERVATION.HOLD_ACTIVE',
      'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
    ],
  },
  get: {
    method: 'GET',
    path: '/reservations/:reservationId',
    summary: 'A reservation',
    params: ReservationParams,
    response: Reservation,
    tenantScoped: true,
    errorCodes: ['MELMASTOON.RESERVATION.NOT_FOUND'],
  },
  getByKey: {
    method: 'GET',
    path: '/reservations/by-key/:key',
    summary: 'Get the reservation that a call with this idempotency key created or changed',
    params: Type.Object({ key: Type.String({ minLength: 16, maxLength: 255 }) }),
    response: Reservation,
    tenantScoped: true,
    errorCodes: ['MELMASTOON.RESERVATION.NOT_FOUND'],
  },
  extend: {
    method: 'POST',
    path: '/reservations/:reservationId/extend',
    summary: 'Extend a hold by ten minutes',
    params: ReservationParams,
    body: Type.Object({}),
    response: Reservation,
    tenantScoped: true,
    idempotent: true,
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.HOLD_EXPIRED',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.INVENTORY.EXTENSION_REFUSED',
    ],
  },
  reprice: {
    method: 'POST',
    path: '/reservations/:reservationId/reprice',
    summary: 'Give a hold the price of a new quote for the same stay; the rooms stay held',
    params: ReservationParams,
    /** The digest that the guest has agreed to. */
    body: Type.Object({ quoteId: id('qte'), expectedDigest: Digest }),
    response: Reservation,
    tenantScoped: true,
    idempotent: true,
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.HOLD_EXPIRED',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.RESERVATION.QUOTE_MISMATCH',
      'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
      'MELMASTOON.PRICING.QUOTE_EXPIRED',
      'MELMASTOON.PRICING.PRICE_CHANGED',
    ],
  },
  confirm: {
    method: 'POST',
    path: '/reservations/:reservationId/confirm',
    summary:
      'Confirm a reservation: its rooms are sold; after the hold has expired only if they are still available',
    params: ReservationParams,
    body: Type.Object({
      guest: ReservationGuest,
      payment: Type.Object({
        method: Type.Enum(['cash_on_arrival', 'card', 'mobile_money']),
        paymentIntentId: Type.Optional(id('pyi')),
      }),
      /** A digest other than that of the reservation is rejected as a changed price. */
      expectedDigest: Digest,
    }),
    response: Reservation,
    tenantScoped: true,
    idempotent: true,
    errorCodes: [
      'MELMASTOON.RESERVATION.NOT_FOUND',
      'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
      'MELMASTOON.INVENTORY.STAY_INVALID',
      'MELMASTOON.PRICING.PRICE_CHANGED',
    ],
  },
  cancel: {
    method: 'POST',
    path: '/reservations/:reservationId/cancel',
    summary:
      'Cancel a reservation and release its rooms; after its hold has expired, prevent a late confirmation',
    params: ReservationParams,
    body: Type.Object({ reasonCode: ReasonCode }),
    response: Reservation,
    tenantScoped: true,
    idempotent: true,
    errorCodes: ['MELMASTOON.RESERVATION.NOT_FOUND', 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION'],
  },
} as const
