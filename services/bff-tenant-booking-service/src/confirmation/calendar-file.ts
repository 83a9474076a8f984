import { addDays, type IsoDate, instantIn, type Locale, textFor } from '@melmastoon/domain'
import { ICalCalendarMethod, ICalEventStatus, default as ical } from 'ical-generator'
import type { ConfirmationRef } from './confirmation-link.ts'
import type { SharedConfirmation } from './shared-confirmation.ts'
import { VOUCHER_TEXTS } from './voucher-texts.ts'
import { addressFor, momentText } from './write-voucher.ts'

export interface CalendarEntry extends ConfirmationRef {
  readonly brandName: string
  readonly origin: string
  readonly locale: Locale
}

/**
 * The stay as an iCalendar file (RFC 5545). Times are instants in UTC: every calendar shows the
 * right moment, with or without the rules of the hotel's time zone. The UID stays the same, so that
 * a second import replaces the first. Neither the guest nor the signed link is in it: calendars are
 * shared.
 */
export function writeCalendar(shared: SharedConfirmation, entry: CalendarEntry): string {
  const { stay, property } = shared
  const texts = VOUCHER_TEXTS[entry.locale]
  const isCancelled = stay.status === 'cancelled'
  const calendar = ical({
    prodId: { company: 'Melmastoon', product: 'Booking', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
  })
  calendar.createEvent({
    id: `${entry.reservationId}@melmastoon.ghasi.io`,
    sequence: stay.version,
    stamp: new Date(stay.cancelledAt ?? stay.confirmedAt),
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    summary: hotelName(shared, entry),
    description: [`${texts.code}: ${stay.code}`, ...localTimes(shared, entry.locale)].join('\n'),
    url: entry.origin,
    ...stayTimes(shared),
    ...(property !== null && {
      location: {
        title: addressFor(property.address, entry.locale),
        geo: { lat: property.geo.lat, lon: property.geo.lng },
      },
    }),
  })
  return calendar.toString()
}

/** A page of Google Calendar with the stay filled in; without code and link. */
export function googleCalendarLink(shared: SharedConfirmation, entry: CalendarEntry): string {
  const { start, end, allDay } = stayTimes(shared)
  const compact = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const text = (at: Date) => (allDay ? compact(at).slice(0, 8) : compact(at))
  const { property } = shared
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: hotelName(shared, entry),
    dates: `${text(start)}/${text(end)}`,
    ...(property !== null && { location: addressFor(property.address, entry.locale) }),
  })
  return `https://calendar.google.com/calendar/render?${query.toString()}`
}

/** Whole days while the times of the hotel are unknown; the end of a day entry is exclusive. */
function stayTimes({ stay: { stay }, property }: SharedConfirmation) {
  if (property === null) {
    const start = new Date(`${stay.checkIn}T00:00:00Z`)
    return { start, end: new Date(`${addDays(stay.checkOut, 1)}T00:00:00Z`), allDay: true }
  }
  const { timeZone, checkInTime, checkOutTime } = property
  const start = new Date(instantIn(timeZone, stay.checkIn, checkInTime))
  const end = new Date(instantIn(timeZone, stay.checkOut, checkOutTime))
  return { start, end, allDay: false }
}

function hotelName({ property }: SharedConfirmation, { brandName, locale }: CalendarEntry): string {
  return property === null ? brandName : textFor(property.name, locale)
}

function localTimes({ stay: { stay }, property }: SharedConfirmation, locale: Locale): string[] {
  if (property === null) return []
  const texts = VOUCHER_TEXTS[locale]
  const { checkInTime, checkOutTime, timeZone } = property
  const line = (label: string, ...[date, time]: [date: IsoDate, time: string]) =>
    `${label}: ${momentText(date, time, locale)} (${timeZone})`
  return [
    line(texts.checkIn, stay.checkIn, checkInTime),
    line(texts.checkOut, stay.checkOut, checkOutTime),
  ]
}
