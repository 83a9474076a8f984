import { directionOf, formatMoney, type IsoDate, type Locale, textFor } from '@melmastoon/domain'
import type { ConfirmationView } from './confirmation-view.ts'
import type { SharedConfirmation } from './shared-confirmation.ts'
import { VOUCHER_TEXTS } from './voucher-texts.ts'

type Voucher = ConfirmationView['voucher']

/** What the guest prints or shows at the front desk. Contains no personal data. */
export function writeVoucher(shared: SharedConfirmation, locale: Locale): Voucher {
  const { stay, property } = shared
  const texts = VOUCHER_TEXTS[locale]
  const row = (label: string, value: string | undefined) => (value ? [{ label, value }] : [])
  return {
    code: stay.code,
    qrText: `MELMASTOON/1/${stay.code}`,
    direction: directionOf(locale),
    title: stay.status === 'cancelled' ? texts.cancelledTitle : texts.title,
    note: texts.note,
    rows: [
      ...row(texts.code, stay.code),
      ...row(texts.hotel, property ? textFor(property.name, locale) : undefined),
      ...row(texts.address, property ? addressFor(property.address, locale) : undefined),
      ...row(texts.checkIn, momentText(stay.stay.checkIn, property?.checkInTime, locale)),
      ...row(texts.checkOut, momentText(stay.stay.checkOut, property?.checkOutTime, locale)),
      ...row(texts.rooms, roomsText(shared, locale)),
      ...row(texts.total, formatMoney(shared.total, locale)),
      ...row(texts.payment, texts.payments[shared.payment.status]),
    ],
  }
}

type Address = NonNullable<SharedConfirmation['property']>['address']

/** Right-to-left readers get the line in the local script. */
export function addressFor({ line, nativeLine, city }: Address, locale: Locale): string {
  const cityName = textFor(city, locale)
  const street = directionOf(locale) === 'rtl' ? nativeLine : line
  return street.includes(cityName) ? street : listOf([street, cityName], locale)
}

/** With the comma of the script. */
function listOf(parts: readonly string[], locale: Locale): string {
  return parts.join(directionOf(locale) === 'rtl' ? '، ' : ', ')
}

interface Formats {
  readonly day: Intl.DateTimeFormat
  readonly time: Intl.DateTimeFormat
  readonly number: Intl.NumberFormat
}

const formats = new Map<Locale, Formats>()

/** Created once per language: each takes longer than the rest of the page. */
function formatsOf(locale: Locale): Formats {
  const known = formats.get(locale)
  if (known !== undefined) return known
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const
  const made = {
    // Read by the guest and by the front desk: Gregorian, as in the booking.
    day: new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, { dateStyle: 'full', timeZone: 'UTC' }),
    time: new Intl.DateTimeFormat(locale, clock),
    number: new Intl.NumberFormat(locale),
  }
  formats.set(locale, made)
  return made
}

/** In the digits of the language. */
export function momentText(date: IsoDate, time: string | undefined, locale: Locale): string {
  const format = formatsOf(locale)
  const day = format.day.format(Date.parse(`${date}T00:00:00Z`))
  if (time === undefined) return day
  const clock = format.time.format(Date.parse(`2000-01-01T${time}:00Z`))
  return listOf([day, clock], locale)
}

function roomsText({ stay, property }: SharedConfirmation, locale: Locale): string {
  const { number } = formatsOf(locale)
  const rooms = stay.rooms.map(({ roomTypeId, rooms: count }) => {
    const name = property?.roomNames[roomTypeId]
    return name ? `${number.format(count)} × ${textFor(name, locale)}` : number.format(count)
  })
  return listOf(rooms, locale)
}
