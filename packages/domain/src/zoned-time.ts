import { type IsoDate, type IsoDateTime, toIsoDateTime } from './dates.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()
/** IANA lists about 600 names; more can only be spelling variants and are not cached. */
const FORMATTERS_MAX = 600

/**
 * The instant at which clocks in the time zone show this date and time (`12:00`). A time that is
 * skipped when clocks go forward is the one after the change; of a repeated one the first is meant.
 */
export function instantIn(timeZone: string, date: IsoDate, time: string): IsoDateTime {
  const shownMs = Date.parse(`${date}T${time}:00Z`)
  if (Number.isNaN(shownMs)) throw new TypeError('not a time of day (HH:mm)')
  const before = offsetMs(timeZone, shownMs - DAY_MS)
  const after = offsetMs(timeZone, shownMs + DAY_MS)
  const early = shownMs - before
  const isShown = offsetMs(timeZone, early) === before
  // Where the earlier offset no longer applies, the later one does, or the time was skipped.
  return toIsoDateTime(
    new Date(isShown ? early : laterInstant(timeZone, shownMs, { before, after })),
  )
}

const DAY_MS = 86_400_000

function laterInstant(
  timeZone: string,
  shownMs: number,
  { before, after }: { readonly before: number; readonly after: number },
): number {
  const late = shownMs - after
  return offsetMs(timeZone, late) === after ? late : shownMs - before
}

/** What clocks in the time zone are ahead of UTC at an instant. */
function offsetMs(timeZone: string, instantMs: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatterOf(timeZone).formatToParts(instantMs)) {
    parts[type] = Number(value)
  }
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return (
    Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1_000) * 1_000
  )
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known !== undefined) return known
  const formatter = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formatters.size < FORMATTERS_MAX) formatters.set(timeZone, formatter)
  return formatter
}
