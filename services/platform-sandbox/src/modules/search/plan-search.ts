import { type CurrencyCode, type StayDates, todayIn } from '@melmastoon/domain'
import type { GeoArea } from '@melmastoon/upstream-contracts/search'
import { type AreaPlan, focusArea, planArea } from './area/plan-area.ts'
import { checkOccupancy } from './check-occupancy.ts'
import {
  type Filters,
  type FilterTests,
  planFilters,
  type RowTest,
} from './filters/plan-filters.ts'
import { canHouse } from './index/capacity-table.ts'
import { NIGHTS_WIDTH } from './index/columns.ts'
import { toEpochDay } from './index/epoch-day.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { type TextMatch, WORDS_MAX } from './index/token-index.ts'
import { type PricePlan, planPrices } from './prices/plan-prices.ts'
import { type NightRange, readNights, STAY_NIGHTS_MAX } from './stay.ts'
import { wordsOf } from './text/normalize-text.ts'

export interface Criteria {
  readonly geo: GeoArea
  readonly stay: StayDates
  readonly occupancy: { adults: number; children: number; rooms: number; childrenAges?: number[] }
  readonly filters: Filters
  readonly currency: CurrencyCode
}

/** A query, prepared for one state of the index. */
export interface SearchPlan {
  readonly area: AreaPlan
  readonly nights: NightRange
  readonly rooms: number
  readonly text: TextPlan | null
  /** Of everything but the filters. */
  readonly tests: readonly RowTest[]
  readonly filters: FilterTests
  readonly prices: PricePlan
}

export interface TextPlan {
  readonly words: number
  readonly match: TextMatch
}

const POINTERS = { from: '/stay/checkIn', to: '/stay/checkOut' }
/** No time zone is further from UTC: beyond this the local date of the hotel is irrelevant. */
const ZONE_DAYS_MAX = 2
const DAY_MS = 86_400_000

export function planSearch(index: ListingIndex, criteria: Criteria, now: Date): SearchPlan {
  const { occupancy, filters } = criteria
  checkOccupancy(occupancy)
  const nights = readNights(criteria.stay, now, { nightsMax: STAY_NIGHTS_MAX, pointers: POINTERS })
  const area = focusArea(index, planArea(index, criteria.geo), filters.neighbourhoods)
  const text = planText(index, filters.text)
  const tests = [area.test, occupancyTest(index, occupancy)]
  if (text !== null) tests.unshift(textTest(text))
  const notOver = notOverTest(index, nights.firstDay, now)
  if (notOver !== null) tests.push(notOver)
  const prices = planPrices(index, criteria, { nights, now })
  return {
    area,
    nights,
    rooms: occupancy.rooms,
    text,
    tests,
    filters: planFilters(index, filters),
    prices,
  }
}

/** Text without a letter or digit matches nothing. */
function planText(index: ListingIndex, text: string | undefined): TextPlan | null {
  if (text === undefined) return null
  const words = [...new Set(wordsOf(text))].slice(0, WORDS_MAX)
  return { words: words.length, match: index.tokens.match(words, index.columns.capacity) }
}

function textTest({ words, match }: TextPlan): RowTest {
  const all = (1 << words) - 1
  return (row) => words > 0 && match.found[row] === all
}

function occupancyTest(index: ListingIndex, occupancy: Criteria['occupancy']): RowTest {
  const { capacityTables, columns } = index
  const { capacityTable } = columns
  return (row) => {
    const table = capacityTables[capacityTable[row] ?? 0]
    return table !== undefined && canHouse(table, occupancy)
  }
}

/** Tonight in Kabul may be over in Auckland: the local date of each hotel decides (HOLD-14). */
function notOverTest(index: ListingIndex, checkInDay: number, now: Date): RowTest | null {
  if (checkInDay - now.getTime() / DAY_MS > ZONE_DAYS_MAX) return null
  const { timeZone } = index.columns
  const days = index.timeZones.words.map((zone) => toEpochDay(todayIn(zone, now)))
  return (row) => checkInDay >= (days[timeZone[row] ?? 0] ?? 0)
}

/** The fewest rooms available in any night. */
export function fewestRooms(index: ListingIndex, row: number, nights: NightRange): number {
  const { roomsLeft } = index.columns
  const start = row * NIGHTS_WIDTH - index.firstDay
  let fewest = Number.MAX_SAFE_INTEGER
  for (let at = start + nights.firstDay; at < start + nights.endDay; at += 1) {
    const left = roomsLeft[at] ?? 0
    if (left < fewest) fewest = left
  }
  return fewest
}
