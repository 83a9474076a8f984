import { type Static, Type } from 'typebox'
import { id, instant, locale, MicroMoney, Stay, text } from '../schemas.ts'
import { RESERVATION_STATUSES } from './moves.ts'

export const Status = Type.Enum([...RESERVATION_STATUSES])
export const Digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
export const ReasonCode = Type.String({ pattern: '^[a-z][a-z0-9_]{1,39}$' })

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

export const ReservationParams = Type.Object({ reservationId: id('rsv') })
