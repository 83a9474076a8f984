import type { IsoDate } from '@melmastoon/domain'
import { findCountry } from '../../../world/countries.ts'
import { SeededRandom } from '../../../world/seeded-random.ts'
import type { WorldProperty } from '../../../world/world.ts'
import { dateOf, dayOf, weekdayOf } from '../engine/day.ts'
import type { PlanTerms } from '../plan-terms.ts'

export type StayRules = Pick<PlanTerms['restrictions'], 'minNights' | 'closedToArrival'>

export const ANY_STAY: StayRules = { minNights: 1, closedToArrival: [] }

const SHARE = 0.06
const DAYS_AHEAD = 730

/**
 * A few hotels do not sell single nights; a few others take no arrivals on the second busy night
 * of the week, so that weekends are booked as a whole.
 */
export function stayRulesOf({ propertyId, country }: WorldProperty, from: IsoDate): StayRules {
  const draw = SeededRandom.of(`stay-rules:${propertyId}`).next()
  if (draw < SHARE) return { ...ANY_STAY, minNights: 2 }
  if (draw > 1 - SHARE) {
    const [, second] = findCountry(country).busyNights
    return { ...ANY_STAY, closedToArrival: weekdaysFrom(from, second) }
  }
  return ANY_STAY
}

function weekdaysFrom(from: IsoDate, weekday: number): readonly IsoDate[] {
  const first = dayOf(from)
  const days = Array.from({ length: DAYS_AHEAD }, (_, ahead) => first + ahead)
  return days.filter((day) => weekdayOf(day) === weekday).map(dateOf)
}
