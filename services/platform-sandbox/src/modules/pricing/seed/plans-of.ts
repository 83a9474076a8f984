import { createHash } from 'node:crypto'
import type { PropertyId } from '@melmastoon/domain'
import { CANCELLATION_TERMS } from '../../../world/cancellation-terms.ts'
import type { Names, WorldProperty } from '../../../world/world.ts'
import { shareOf } from '../engine/micro.ts'
import type { Board, RateCategory } from '../engine/rate-card.ts'
import type { PlanTerms } from '../plan-terms.ts'
import { ANY_STAY, type StayRules } from './stay-rules-of.ts'

export interface SeedPlan {
  readonly id: string
  readonly code: string
  readonly name: Names
  readonly category: RateCategory
  readonly terms: PlanTerms
  readonly nightly: readonly { readonly room: WorldProperty['roomTypes'][number]; micro: bigint }[]
}

const names = (en: string, ps: string, fa: string): Names => ({
  default: en,
  localized: { 'ps-AF': ps, 'fa-AF': fa },
})

const { free: FREE, partial: PARTIAL, none: NONE } = CANCELLATION_TERMS

const ROOM_ONLY: Board = 'room_only'
/** Breakfast is included where the house serves it. */
const houseBoard = ({ amenities }: WorldProperty): Board =>
  amenities.includes('breakfast') ? 'breakfast' : ROOM_ONLY

const open: PlanTerms['restrictions'] = {
  ...ANY_STAY,
  maxNights: 30,
  advanceDaysMin: 0,
  closedToDeparture: [],
}

const LONG_STAYS = [
  { minNights: 4, basisPoints: 500 },
  { minNights: 14, basisPoints: 1_000 },
]

interface Template {
  readonly code: string
  readonly name: Names
  readonly category: RateCategory
  /** Relative to the base price of the room. */
  readonly basisPoints: bigint
  readonly terms: (property: WorldProperty) => PlanTerms
}

const PUBLIC: readonly Template[] = [
  {
    code: 'BAR',
    name: names('Best available rate', 'د ورځې غوره بیه', 'بهترین نرخ روز'),
    category: 'bar',
    basisPoints: 10_000n,
    terms: (property) => ({
      restrictions: open,
      cancellation: CANCELLATION_TERMS[property.cancellation],
      board: houseBoard(property),
      lengthOfStay: LONG_STAYS,
      lastMinute: { withinDays: 1, basisPoints: 500 },
    }),
  },
  {
    code: 'NRF',
    name: names('Non-refundable', 'نه بېرته کېدونکی', 'غیرقابل استرداد'),
    category: 'non-refundable',
    basisPoints: 8_800n,
    terms: () => ({
      restrictions: { ...open, advanceDaysMin: 3 },
      cancellation: NONE,
      board: ROOM_ONLY,
      lengthOfStay: [],
      lastMinute: null,
    }),
  },
  {
    code: 'WEEK',
    name: names('Weekly rate', 'اوونیزه بیه', 'نرخ هفتگی'),
    category: 'weekly',
    basisPoints: 8_000n,
    terms: (property) => ({
      restrictions: { ...open, minNights: 7, maxNights: 90 },
      cancellation: property.cancellation === 'none' ? NONE : PARTIAL,
      board: houseBoard(property),
      lengthOfStay: [],
      lastMinute: null,
    }),
  },
]

const CORPORATE: Template = {
  code: 'CORP',
  name: names('Corporate rate', 'د شرکتونو بیه', 'نرخ شرکت‌ها'),
  category: 'corporate',
  basisPoints: 8_500n,
  terms: (property) => ({
    restrictions: open,
    cancellation: FREE,
    board: houseBoard(property),
    lengthOfStay: [],
    lastMinute: null,
  }),
}

/** The rules of the hotel apply to all plans, in addition to those of the plan. */
export function plansOf(
  property: WorldProperty,
  isRich: boolean,
  stayRules: StayRules = ANY_STAY,
): SeedPlan[] {
  const templates = isRich ? [...PUBLIC, CORPORATE] : PUBLIC
  return templates.map(({ code, name, category, basisPoints, terms }) => ({
    id: ratePlanUuid(property.propertyId, code),
    code,
    name,
    category,
    terms: restrict(terms(property), stayRules),
    nightly: property.roomTypes.map((room) => ({
      room,
      micro: shareOf(room.baseNightlyMicro, basisPoints, property.currency),
    })),
  }))
}

function restrict(terms: PlanTerms, { minNights, closedToArrival }: StayRules): PlanTerms {
  const { restrictions } = terms
  const nights = Math.max(minNights, restrictions.minNights)
  return { ...terms, restrictions: { ...restrictions, minNights: nights, closedToArrival } }
}

/** The id is deterministic, so that seeding twice adds nothing. */
function ratePlanUuid(propertyId: PropertyId, code: string): string {
  const hex = createHash('sha256').update(`${propertyId} ${code}`).digest('hex')
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)]
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
