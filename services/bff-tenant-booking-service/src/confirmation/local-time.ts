import { type IsoDate, type IsoDateTime, toIsoDateTime } from '@melmastoon/domain'

/**
 * The instant of a local time of day. Where the clocks are set forward and the time does not exist,
 * the instant is as long after midnight as the time says; where it occurs twice, the first one.
 */
export function localInstant(date: IsoDate, time: string, timeZone: string): IsoDateTime {
  const asUtcMs = Date.parse(`${date}T${time}:00Z`)
  // The offsets before and after a change of the clocks; the earlier one comes first.
  const before = asUtcMs - offsetMs(timeZone, asUtcMs - DAY_MS)
  const after = asUtcMs - offsetMs(timeZone, asUtcMs + DAY_MS)
  const isBefore = before + offsetMs(timeZone, before) === asUtcMs
  const isAfter = after + offsetMs(timeZone, after) === asUtcMs
  return toIsoDateTime(new Date(isBefore || !isAfter ? before : after))
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export function hoursBefore(instant: IsoDateTime, hours: number): IsoDateTime {
  return toIsoDateTime(new Date(Date.parse(instant) - hours * HOUR_MS))
}

function offsetMs(timeZone: string, atMs: number): number {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatterOf(timeZone).formatToParts(atMs)) parts[type] = value
  const { year, month, day, hour, minute, second } = parts
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return local - Math.floor(atMs / 1_000) * 1_000
}

const formatters = new Map<string, Intl.DateTimeFormat>()
/** IANA lists about 600 names. */
const FORMATTERS_MAX = 600

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const twoDigits = { month: '2-digit', day: '2-digit', hour: '2-digit' } as const
  const formatter = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    year: 'numeric',
    ...twoDigits,
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  if (formatters.size < FORMATTERS_MAX) formatters.set(timeZone, formatter)
  return formatter
}
