import type { City } from './city.ts'
import { findCountry } from './countries.ts'
import type { DayNumber } from './day-number.ts'

const YEAR_DAYS = 365.2425
const MID_JULY = 195
const MID_JANUARY = 15
const BUSY_NIGHT = 0.12

/**
 * The occupancy of a town in a night, 0 to 1: summer in the mountains, winter where the summer is
 * too hot, and the nights before weekends.
 */
export function occupancyOn(city: City, day: DayNumber): number {
  const season = Math.cos(((day % YEAR_DAYS) - peakDay(city)) * ((2 * Math.PI) / YEAR_DAYS))
  const weekday = (day + 4) % 7
  const isBusy = findCountry(city.country).busyNights.includes(weekday)
  return 0.55 + season * 0.18 + (isBusy ? BUSY_NIGHT : 0)
}

function peakDay({ lat, scenery }: City): number {
  const winterIsMild = scenery === 'desert' || (scenery === 'sea' && Math.abs(lat) < 27)
  const isNorthern = lat >= 0
  return winterIsMild === isNorthern ? MID_JANUARY : MID_JULY
}
