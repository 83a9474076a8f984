import type { City } from './city.ts'
import { findCountry } from './countries.ts'
import type { DayNumber } from './day-number.ts'
import { SeededRandom } from './seeded-random.ts'

const YEAR_DAYS = 365.2425
const MID_JULY = 195
const MID_JANUARY = 15
const BASE = 0.58
const SEASON = 0.14
const BUSY_NIGHT = 0.14
const EVENT_NIGHT = 0.3
/** The share of weeks in which a town has a festival, a fair or a season of weddings. */
const EVENT_PROBABILITY = 0.1
const WEEK = 7

const known = new Map<string, Map<DayNumber, number>>()

/**
 * The occupancy of a town in a night, as a share of its rooms; above 1 in a night when many guests
 * find nothing. High in summer in the mountains, in winter where the summer is too hot, in the
 * nights before weekends, and most of all in those of events. Computed once per town and night,
 * because the rooms of all its hotels need it.
 */
export function occupancyOn(city: City, day: DayNumber): number {
  const ofCity = known.get(city.key) ?? new Map<DayNumber, number>()
  known.set(city.key, ofCity)
  const occupancy = ofCity.get(day) ?? computeOccupancy(city, day)
  ofCity.set(day, occupancy)
  return occupancy
}

function computeOccupancy(city: City, day: DayNumber): number {
  const season = Math.cos(((day % YEAR_DAYS) - peakDay(city)) * ((2 * Math.PI) / YEAR_DAYS))
  if (!isBusyNight(city, day)) return BASE + season * SEASON
  return BASE + season * SEASON + BUSY_NIGHT + (hasEvent(city, day) ? EVENT_NIGHT : 0)
}

function isBusyNight({ country }: City, day: DayNumber): boolean {
  return findCountry(country).busyNights.includes((day + 4) % WEEK)
}

/** Both busy nights of a week belong to the same event: weeks begin on Monday. */
function hasEvent({ key }: City, day: DayNumber): boolean {
  const week = Math.floor((day + 3) / WEEK)
  return SeededRandom.of(`events:${key}`).fork(week).chance(EVENT_PROBABILITY)
}

function peakDay({ lat, scenery }: City): number {
  const winterIsMild = scenery === 'desert' || (scenery === 'sea' && Math.abs(lat) < 27)
  const isNorthern = lat >= 0
  return winterIsMild === isNorthern ? MID_JANUARY : MID_JULY
}
