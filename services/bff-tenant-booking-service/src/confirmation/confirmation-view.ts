import { Section } from '@melmastoon/bff/sections'
import { currency, Geo, id, instant, isoDate, Occupancy } from '@melmastoon/upstream-contracts'
import { RESERVATION_STATUSES } from '@melmastoon/upstream-contracts/reservation'
import { type Static, Type } from 'typebox'
import { GuestView } from '../guests/guest-view.ts'
import { CancellationVM } from '../properties/cancellation-terms.ts'
import { PAYMENT_STATES } from './shared-confirmation.ts'

const nullable = <const S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const amount = (description?: string) =>
  Type.Object(
    { amountMinor: Type.Integer(), currency: currency() },
    description === undefined ? {} : { description },
  )

const LocalMoment = Type.Object({
  date: isoDate(),
  time: nullable(Type.String({ description: 'Local time of the hotel; null while unknown' })),
  at: nullable(instant()),
})

const Hotel = Type.Object({
  propertyId: id('ppt'),
  name: Type.String(),
  address: Type.Object({
    line: Type.String(),
    nativeLine: Type.String({ description: 'In the local script, for taxi drivers' }),
    city: Type.String(),
    country: Type.String(),
  }),
  geo: Geo,
  photo: nullable(Type.Object({ url: Type.String(), alt: Type.String() })),
  houseRules: Type.Array(Type.Object({ code: Type.String(), text: Type.String() })),
})

const PriceLine = Type.Object({
  kind: Type.Enum(['night', 'extra', 'discount', 'promotion', 'fee', 'tax']),
  label: Type.String(),
  night: nullable(isoDate()),
  quantity: Type.Integer({ minimum: 1 }),
  amount: amount(),
  included: Type.Boolean({ description: 'Already part of the nightly prices: shown, not added' }),
})

const Price = Type.Object({
  total: amount(),
  display: nullable(amount('The total in the currency in which the guest saw it; approximate')),
  lines: nullable(
    Type.Array(PriceLine, { description: 'As consented; null while pricing is down' }),
  ),
})

const Payment = Type.Object({
  method: nullable(Type.String()),
  status: Type.Enum([...PAYMENT_STATES]),
  paid: nullable(amount()),
  refunded: nullable(amount()),
  dueAtHotel: nullable(amount()),
})

const Voucher = Type.Object({
  code: Type.String({ description: 'Shown at the front desk' }),
  qrText: Type.String({ description: 'The content of the QR code; contains no personal data' }),
  direction: Type.Enum(['ltr', 'rtl']),
  title: Type.String(),
  note: Type.String(),
  rows: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
})

/** The confirmation as its guest sees it. */
export const ConfirmationView = Type.Object(
  {
    reservationId: id('rsv'),
    code: Type.String(),
    status: Type.Enum([...RESERVATION_STATUSES]),
    confirmedAt: instant(),
    cancelledAt: nullable(instant()),
    stay: Type.Object({
      checkIn: LocalMoment,
      checkOut: LocalMoment,
      nights: Type.Integer({ minimum: 1 }),
      timeZone: Type.String(),
    }),
    property: nullable(Hotel),
    rooms: Type.Array(
      Type.Object({
        roomTypeId: id('rmt'),
        name: nullable(Type.String()),
        rooms: Type.Integer({ minimum: 1 }),
      }),
    ),
    occupancy: nullable(Occupancy),
    price: Price,
    payment: Payment,
    cancellation: nullable(CancellationVM),
    guest: nullable(GuestView),
    voucher: Voucher,
    links: Type.Object({
      confirmation: Type.String({
        description: 'The page of this confirmation, which opens it on any device',
      }),
      calendarFile: Type.String({ description: 'The iCalendar file; needs no cookie' }),
      googleCalendar: Type.String(),
    }),
    sections: Type.Object({
      reservation: Section,
      property: Section,
      price: Section,
      payment: Section,
      guest: Section,
    }),
    degraded: Type.Boolean({ description: 'At least one section is stale or missing' }),
  },
  { title: 'ConfirmationView' },
)

export type ConfirmationView = Static<typeof ConfirmationView>
