declare const dateBrand: unique symbol
declare const dateTimeBrand: unique symbol

/** A calendar day `YYYY-MM-DD` without a time zone. */
export type IsoDate = string & { readonly [dateBrand]: true }

/** An instant `YYYY-MM-DDTHH:mm:ss.sssZ`, always UTC, always milliseconds. */
export type IsoDateTime = string & { readonly [dateTimeBrand]: true }

/** Half-open: the night of `checkIn` is part of the stay, the night of `checkOut` is not. */
export interface StayDates {
  readonly checkIn: IsoDate
  readonly checkOut: IsoDate
}

const DAY_MS = 86_400_000
const DATE = /^([1-9][0-9]{3})-([0-9]{2})-([0-9]{2})$/
const DATE_TIME = /^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/
const RFC_3339 =
  /^([0-9-]{10})[Tt](?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}(?:\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/
const INSTANT_LENGTH = 24
/** `Date` itself supports years up to 275760; the four-digit form ends here. */
const LAST_DAY_MS = Date.UTC(9999, 11, 31)
const FIRST_DAY_MS = Date.UTC(1000, 0, 1)

export function isIsoDate(value: unknown): value is IsoDate {
  if (typeof value !== 'string' || !DATE.test(value)) return false
  const day = Number(value.slice(8))
  // Every month has at least 28 days; only later days need the calendar.
  if (day >= 1 && day <= 28) return isMonth(value)
  const ms = Date.parse(`${value}T00:00:00Z`)
  return !Number.isNaN(ms) && dayText(ms) === value
}

function isMonth(date: string): boolean {
  const month = Number(date.slice(5, 7))
  return month >= 1 && month <= 12
}

export function parseIsoDate(value: unknown): IsoDate {
  if (!isIsoDate(value)) throw new TypeError('not a calendar date (YYYY-MM-DD)')
  return value
}

export function isIsoDateTime(value: unknown): value is IsoDateTime {
  if (typeof value !== 'string' || !DATE_TIME.test(value)) return false
  const ms = Date.parse(value)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === value
}

export function parseIsoDateTime(value: unknown): IsoDateTime {
  if (!isIsoDateTime(value)) throw new TypeError('not an instant (YYYY-MM-DDTHH:mm:ss.sssZ)')
  return value
}

/**
 * Any RFC 3339 text, as clients send instants: with or without a fraction, with any offset. Leap
 * seconds are not accepted, because `Date` has none.
 */
export function isRfc3339(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const [, date] = RFC_3339.exec(value) ?? []
  return isIsoDate(date) && isIsoDateTime(utcText(value))
}

/** The instant of an RFC 3339 text in our own form; digits after the milliseconds are cut off. */
export function normalizeDateTime(value: unknown): IsoDateTime {
  if (!isRfc3339(value)) throw new TypeError('not an instant (RFC 3339)')
  return parseIsoDateTime(utcText(value))
}

const utcText = (value: string): string => new Date(value.toUpperCase()).toISOString()

export function toIsoDateTime(instant: Date): IsoDateTime {
  const text = instant.toISOString()
  // Years before 1000 and after 9999 have another text form.
  if (text.length !== INSTANT_LENGTH || text.startsWith('0')) return parseIsoDateTime(text)
  return text as IsoDateTime
}

/** Days are counted in UTC, where each has 24 hours; no clock change can shorten a stay. */
export function daysBetween(from: IsoDate, to: IsoDate): number {
  return (dayMs(to) - dayMs(from)) / DAY_MS
}

export function addDays(date: IsoDate, days: number): IsoDate {
  const ms = dayMs(date) + days * DAY_MS
  if (!Number.isSafeInteger(days) || ms < FIRST_DAY_MS || ms > LAST_DAY_MS) {
    throw new RangeError('date out of range')
  }
  return dayText(ms) as IsoDate
}

export function isStay(checkIn: unknown, checkOut: unknown): boolean {
  return isIsoDate(checkIn) && isIsoDate(checkOut) && checkIn < checkOut
}

export function stayDates(checkIn: string, checkOut: string): StayDates {
  const stay = { checkIn: parseIsoDate(checkIn), checkOut: parseIsoDate(checkOut) }
  if (stay.checkIn >= stay.checkOut) throw new RangeError('checkOut must be after checkIn')
  return stay
}

export function nightsBetween(stay: StayDates): number {
  return daysBetween(stay.checkIn, stay.checkOut)
}

/** The dates of the nights of the stay: from `checkIn`, without `checkOut`. */
export function nightsOf(stay: StayDates): IsoDate[] {
  return Array.from({ length: nightsBetween(stay) }, (_, night) => addDays(stay.checkIn, night))
}

/** Back-to-back stays share no night. */
export function staysOverlap(a: StayDates, b: StayDates): boolean {
  return a.checkIn < b.checkOut && b.checkIn < a.checkOut
}

export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false
  try {
    dayFormatter(value)
    return true
  } catch {
    return false
  }
}

/**
 * The local date of the hotel at this instant: at 20:00 UTC it is already tomorrow in Kabul
 * (+04:30).
 */
export function todayIn(timeZone: string, now: Date): IsoDate {
  const quarter = Math.floor(now.getTime() / QUARTER_MS)
  const known = days.get(timeZone)
  if (known?.quarter === quarter) return known.day
  const day = findDay(timeZone, now)
  if (days.size < DAY_FORMATTERS_MAX || known !== undefined) days.set(timeZone, { quarter, day })
  return day
}

function findDay(timeZone: string, now: Date): IsoDate {
  const parts: Record<string, string> = {}
  for (const { type, value } of dayFormatter(timeZone).formatToParts(now)) parts[type] = value
  return parseIsoDate(`${parts['year']}-${parts['month']}-${parts['day']}`)
}

/**
 * No time zone has midnight within a quarter of an hour, and `Intl` takes microseconds per call.
 */
const QUARTER_MS = 900_000
const days = new Map<string, { readonly quarter: number; readonly day: IsoDate }>()
const dayFormatters = new Map<string, Intl.DateTimeFormat>()
/** IANA lists about 600 names; more can only be spelling variants and are not cached. */
const DAY_FORMATTERS_MAX = 600

function dayFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = dayFormatters.get(timeZone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  if (dayFormatters.size < DAY_FORMATTERS_MAX) dayFormatters.set(timeZone, formatter)
  return formatter
}

function dayMs(date: IsoDate): number {
  return Date.parse(`${date}T00:00:00Z`)
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
