import type { IsoDate, Locale, PropertyId } from '@melmastoon/domain'
import {
  REVIEW_ASPECTS,
  type Review,
  type ReviewAspect,
  type Reviews,
  TRAVELLERS,
} from '@melmastoon/upstream-contracts/property'
import { names } from './names.ts'
import { SeededRandom } from './seeded-random.ts'
import { guestName } from './words/guest-names.ts'
import { likedAmenities, opinionsOn } from './words/review-sentences.ts'
import type { Names, WorldProperty } from './world.ts'

export interface Reviewed {
  readonly propertyId: PropertyId
  readonly country: string
  readonly propertyType: WorldProperty['propertyType']
  readonly starRating: number | null
  readonly guestRating: NonNullable<WorldProperty['guestRating']>
  readonly amenities: readonly string[]
  readonly openedOn: IsoDate
}

const SHOWN_MAX = 5
const MONTHS_BACK = 24
const PROBABILITY = 0.45

/**
 * What guests wrote in the months before `today`: determined by the hotel and the month, so that
 * nothing is stored and a review stays the same while it is shown.
 */
export function planReviews(house: Reviewed, today: IsoDate): Reviews {
  const random = SeededRandom.of(`reviews:${house.propertyId}`)
  const scores = drawScores(random.fork(0), house)
  const items: Review[] = []
  const last = monthOf(today) - 1
  const first = Math.max(monthOf(house.openedOn), last - MONTHS_BACK)
  for (let month = last; month >= first && items.length < SHOWN_MAX; month -= 1) {
    const ofMonth = random.fork(month)
    if (ofMonth.chance(PROBABILITY)) items.push(drawReview(ofMonth, { house, scores, month }))
  }
  return { count: house.guestRating.count, scores, items }
}

type Scores = Reviews['scores']

/** Around the rating, which is their mean. */
function drawScores(random: SeededRandom, house: Reviewed): Scores {
  const differences = REVIEW_ASPECTS.map((aspect) => random.next() - 0.5 + tendency(house, aspect))
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length
  return REVIEW_ASPECTS.map((aspect, index) => ({
    aspect,
    value: rounded(house.guestRating.value + (differences[index] ?? 0) - mean),
  }))
}

/** Better hotels have more facilities, simpler ones a better price. */
function tendency({ propertyType, starRating }: Reviewed, aspect: ReviewAspect): number {
  const luxury = ((starRating ?? 2) - 3) * 0.25
  if (aspect === 'comfort' && propertyType === 'hostel') return -0.6
  if (aspect === 'facilities' || aspect === 'comfort') return luxury
  if (aspect === 'value') return -luxury
  return aspect === 'staff' && propertyType === 'guesthouse' ? 0.6 : 0
}

interface Written {
  readonly house: Reviewed
  readonly scores: Scores
  /** Since year 0. */
  readonly month: number
}

function drawReview(random: SeededRandom, { house, scores, month }: Written): Review {
  const language = drawLanguage(random, house.country)
  const rating = rounded(house.guestRating.value + (random.next() - 0.6) * 3)
  return {
    author: shortened(guestName(random, language)),
    rating: Math.round(rating),
    stayedIn: `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
    travellers: random.pick(TRAVELLERS),
    language,
    text: drawText(random, { house, scores, rating }),
  }
}

/** Praise for the best aspects, and from guests with a low rating criticism of the worst. */
function drawText(
  random: SeededRandom,
  { house, scores, rating }: { house: Reviewed; scores: Scores; rating: number },
): Names {
  const ranked = scores.toSorted((a, b) => b.value - a.value).map(({ aspect }) => aspect)
  const [best, second, third] = ranked
  const worst = ranked.at(-1)
  const liked = likedAmenities(house.amenities)
  const sentences: Names[] = []
  const praised = random.pick([best, second, third])
  if (rating >= 6 && praised) sentences.push(random.pick(opinionsOn(praised, 'good')))
  if (rating >= 7.5 && liked.length > 0) sentences.push(random.pick(liked))
  if (rating < 8 && worst) sentences.push(random.pick(opinionsOn(worst, 'bad')))
  if (sentences.length === 0 && best) sentences.push(random.pick(opinionsOn(best, 'good')))
  return names(
    sentences.map((each) => each.default).join(' '),
    sentences.map((each) => each.localized['ps-AF']).join(' '),
    sentences.map((each) => each.localized['fa-AF']).join(' '),
  )
}

function drawLanguage(random: SeededRandom, country: string): Locale {
  const draw = random.next()
  const [fa, ps] = country === 'AF' ? [0.45, 0.8] : [0.12, 0.2]
  if (draw < fa) return 'fa-AF'
  return draw < ps ? 'ps-AF' : 'en'
}

/** The first name and the initial of the last one. */
function shortened(name: string): string {
  const words = name.split(' ')
  const last = words.at(-1) ?? ''
  return `${words.slice(0, -1).join(' ')} ${last.slice(0, 1)}.`
}

function rounded(value: number): number {
  return Math.round(Math.min(10, Math.max(1, value)) * 10) / 10
}

function monthOf(day: IsoDate): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
}
