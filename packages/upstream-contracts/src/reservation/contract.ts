import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { id, instant, locale, MicroMoney, Stay, text } from '../schemas.ts'
import { RESERVATION_STATUSES } from './moves.ts'

export { RESERVATION_MOVES, RESERVATION_STATUSES, type ReservationStatus } from './moves.ts'

const Status = Type.Enum([...RESERVATION_STATUSES])
const Digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
const ReasonCode = Type.String({ pattern: '^[a-z][a-z0-9_]{1,39}$' })

/** Contains no guest data: guest data is in no response and no event. */
export const Reservation = Type.Object({
  reservationId: id('rsv'),
  /** The code that the guest shows at the front desk: without letters that are easily confused. */
  code: Type.String({ pattern: '^[2-9A-HJ-NP-Z]{8}$' }),
  tenantId: id('tnt'),
  propertyId: id('ppt'),
  status: Status,
  stay: Stay,
  items: Type.Array(
    Type.Object({ roomTypeId: id('rmt'), rooms: Type.Integer({ minimum: 1, maximum: 10 }) }),
    { minItems: 1, maxItems: 10 },
  ),
  total: MicroMoney,
  guestLocale: locale(),
  quoteId: Type.Optional(id('qte')),
  draftId: Type.Optional(id('bdr')),
  allocationId: id('inv'),
  /**
   * The digest of the quote: a confirmation repeats it, so that the guest never pays a price they
   * have not seen.
   */
  digest: Type.Optional(Digest),
  payment: Type.Optional(
    Type.Object({ method: text(40), paymentIntentId: Type.Optional(id('pyi')) }),
  ),
  holdExpiresAt: Type.Optional(instant()),
  holdExtensions: Type.Integer({ minimum: 0 }),
  confirmedAt: Type.Optional(instant()),
  cancelledAt: Type.Optional(instant()),
  createdAt: instant(),
  version: Type.Integer({ minimum: 1 }),
  history: Type.Array(
    Type.Object({
      version: Type.Integer({ minimum: 1 }),
      status: Status,
      at: instant(),
      reasonCode: Type.Optional(ReasonCode),
    }),
    { maxItems: 200 },
  ),
})

export type Reservation = Static<typeof Reservation>

export const ReservationGuest = Type.Object({
  fullName: text(120),
  email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' }),
  phone: Type.Optional(Type.String({ pattern: '^\\+[1-9]\\d{5,14}$' })),
  arrivalTime: Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
  specialRequests: Type.Optional(text(1_000)),
})

export type ReservationGuest = Static<typeof ReservationGuest>

const ReservationParams = Type.Object({ reservationId: id('rsv') })

export const reservationContract = defineContract({
  upstream: 'reservation',
  basePath: '/api/v1',
  operations: {
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
  },
})
