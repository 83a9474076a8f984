import { FRESH_SECTION, isDegraded, MISSING_SECTION, type Section } from '@melmastoon/bff/sections'
import {
  type IsoDate,
  instantIn,
  isTimeZone,
  type Locale,
  type LocalizedText,
  nightsBetween,
  textFor,
} from '@melmastoon/domain'
import type { GuestView } from '../guests/guest-view.ts'
import { describeCancellation } from '../properties/cancellation-terms.ts'
import { apiUrl, type Site } from '../site/site.ts'
import { googleCalendarLink } from './calendar-file.ts'
import {
  type ConfirmationRef,
  confirmationLink,
  confirmationToken,
  type LinkDeps,
} from './confirmation-link.ts'
import type { ConfirmationView } from './confirmation-view.ts'
import type { SharedConfirmation, SharedProperty } from './shared-confirmation.ts'
import { writeVoucher } from './write-voucher.ts'

/** The site on which the confirmation is shown. */
export type ConfirmationSite = Pick<Site, 'address' | 'slug' | 'origin' | 'brandName' | 'timeZone'>

export interface Reader extends ConfirmationRef, ConfirmationSite {
  readonly locale: Locale
  /** Null when the details are no longer stored, or cannot be read now. */
  readonly guest: GuestView | null
  /** The shared part is older than it should be. */
  readonly isStale: boolean
  readonly ageMs: number
}

/** The shared part in one language, joined with what this reader may see. */
export function writeConfirmation(
  deps: LinkDeps,
  shared: SharedConfirmation,
  reader: Reader,
): ConfirmationView {
  const { stay, property, price } = shared
  const { reservationId, locale, guest } = reader
  const text = (localized: LocalizedText) => textFor(localized, locale)
  const sections = sectionsOf(shared, reader)
  const timeZone = property?.timeZone ?? zoneOf(reader)
  return {
    reservationId,
    code: stay.code,
    status: stay.status,
    confirmedAt: stay.confirmedAt,
    cancelledAt: stay.cancelledAt,
    stay: { ...writeStay(shared), timeZone },
    property: property && writeProperty(property, text),
    rooms: stay.rooms.map(({ roomTypeId, rooms }) => {
      const name = property?.roomNames[roomTypeId]
      return { roomTypeId, name: name ? text(name) : null, rooms }
    }),
    occupancy: price && price.occupancy,
    price: writePrice(shared, text),
    payment: {
      ...shared.payment,
      dueAtHotel: shared.payment.status === 'pay_at_hotel' ? shared.total : null,
    },
    cancellation: price && describeCancellation(price.cancellation, stay.stay.checkIn, timeZone),
    guest,
    voucher: writeVoucher(shared, locale),
    links: writeLinks(deps, shared, reader),
    sections,
    degraded: isDegraded(sections),
  }
}

/** Times are in UTC where the time zone of the site is invalid. */
function zoneOf({ timeZone }: ConfirmationSite): string {
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}

function sectionsOf(
  { sections }: SharedConfirmation,
  { guest, isStale, ageMs }: Reader,
): ConfirmationView['sections'] {
  const aged = ({ status }: Section): Section =>
    status === 'missing'
      ? MISSING_SECTION
      : { status: isStale ? 'stale' : status, ageMs: Math.round(ageMs) }
  return {
    reservation: aged(sections.reservation),
    property: aged(sections.property),
    price: aged(sections.price),
    payment: aged(sections.payment),
    guest: guest === null ? MISSING_SECTION : FRESH_SECTION,
  }
}

function writeStay({ stay: { stay }, property }: SharedConfirmation) {
  const moment = (date: IsoDate, time: string | undefined) => ({
    date,
    time: time ?? null,
    at: property && time ? instantIn(property.timeZone, date, time) : null,
  })
  return {
    checkIn: moment(stay.checkIn, property?.checkInTime),
    checkOut: moment(stay.checkOut, property?.checkOutTime),
    nights: nightsBetween(stay),
  }
}

type Translate = (text: LocalizedText) => string

function writeProperty(property: SharedProperty, text: Translate): ConfirmationView['property'] {
  const { propertyId, name, address, geo, photo, houseRules } = property
  return {
    propertyId,
    name: text(name),
    address: { ...address, city: text(address.city) },
    geo,
    photo: photo && { url: photo.url, alt: text(photo.alt) },
    houseRules: houseRules.map((rule) => ({ code: rule.code, text: text(rule.text) })),
  }
}

function writePrice(
  { total, price }: SharedConfirmation,
  text: Translate,
): ConfirmationView['price'] {
  if (price === null) return { total, display: null, lines: null }
  const lines = price.lines.map((line) => ({ ...line, label: text(line.label) }))
  return { total, display: price.display, lines }
}

/** The calendar file is fetched by programs without the guest's cookie. */
function writeLinks(deps: LinkDeps, shared: SharedConfirmation, reader: Reader) {
  const { checkOut } = shared.stay.stay
  const { tenantId, origin, reservationId } = reader
  const token = confirmationToken(deps, { tenantId, reservationId, checkOut })
  return {
    confirmation: confirmationLink(deps, { tenantId, origin, reservationId, checkOut }),
    calendarFile: `${apiUrl(reader)}/confirmation/${reservationId}/calendar.ics?t=${token}`,
    googleCalendar: googleCalendarLink(shared, reader),
  }
}
