import type { UnitVector } from '../area/sphere.ts'
import type { ListingIndex } from '../index/listing-index.ts'
import { fewestRooms, type SearchPlan } from '../plan-search.ts'
import { availabilityPoints, distancePoints, freshnessPoints, textPoints } from './signals.ts'
import type { ReasonKind } from './weights.ts'

export interface Reason {
  readonly kind: ReasonKind
  readonly weight: number
}

/** `row` may be a former version; `live` is the current listing, whose words are indexed. */
export interface Scored {
  readonly row: number
  readonly live: number
}

export function scoreOf(index: ListingIndex, plan: SearchPlan, { row, live }: Scored): number {
  const { columns } = index
  return (
    (columns.popularityPoints[row] ?? 0) +
    (columns.ratingPoints[row] ?? 0) +
    (columns.pricePoints[row] ?? 0) +
    nearness(index, plan, row) +
    wording(plan, live) +
    availabilityPoints(fewestRooms(index, row, plan.nights)) +
    freshnessPoints(columns.openedDay[row] ?? 0, plan.nights.firstDay)
  )
}

/** The parts of the score, strongest first. */
export function explainScore(index: ListingIndex, plan: SearchPlan, scored: Scored): Reason[] {
  const { columns } = index
  const { row, live } = scored
  const reasons: Reason[] = [
    { kind: 'popularity', weight: columns.popularityPoints[row] ?? 0 },
    { kind: 'rating', weight: columns.ratingPoints[row] ?? 0 },
    { kind: 'price', weight: columns.pricePoints[row] ?? 0 },
    { kind: 'distance', weight: nearness(index, plan, row) },
    { kind: 'text', weight: wording(plan, live) },
    { kind: 'availability', weight: availabilityPoints(fewestRooms(index, row, plan.nights)) },
    {
      kind: 'freshness',
      weight: freshnessPoints(columns.openedDay[row] ?? 0, plan.nights.firstDay),
    },
  ]
  return reasons.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
}

function nearness(index: ListingIndex, { area }: SearchPlan, row: number): number {
  const { centre, radiusChord } = area
  if (centre === null || radiusChord === null) return 0
  return distancePoints(chordAt(index, centre, row), radiusChord)
}

function wording({ text }: SearchPlan, live: number): number {
  return text === null ? 0 : textPoints(countBits(text.match.named[live] ?? 0), text.words)
}

/** Like `chordSquared`, without allocating a vector per row. */
export function chordAt({ columns }: ListingIndex, centre: UnitVector, row: number): number {
  const dx = (columns.x[row] ?? 0) - centre.x
  const dy = (columns.y[row] ?? 0) - centre.y
  const dz = (columns.z[row] ?? 0) - centre.z
  return dx * dx + dy * dy + dz * dz
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}
