import { addDays, daysBetween, type IsoDate } from '@melmastoon/domain'

const DAYS_AHEAD = 30
const DATE_LENGTH = 'yyyy-mm-dd'.length
const MONTH_LENGTH = 'yyyy-mm'.length

/**
 * A copy of the document in which every value that is a date or a time in the month of the arrival
 * is moved by the same number of days: the arrival is then a month ahead.
 */
export function moveExamples(document: unknown, arrival: string, nowMs: number): unknown {
  const today = new Date(nowMs).toISOString().slice(0, DATE_LENGTH) as IsoDate
  const days = daysBetween(arrival as IsoDate, addDays(today, DAYS_AHEAD))
  const inMonth = new RegExp(`^${arrival.slice(0, MONTH_LENGTH)}-\\d\\d(?:T[\\d:.]+Z)?$`)
  const move = (value: unknown): unknown => {
    if (typeof value === 'string') return inMonth.test(value) ? moved(value, days) : value
    if (Array.isArray(value)) return value.map(move)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, move(member)]))
  }
  return move(document)
}

function moved(value: string, days: number): string {
  const date = value.slice(0, DATE_LENGTH) as IsoDate
  return `${addDays(date, days)}${value.slice(DATE_LENGTH)}`
}
