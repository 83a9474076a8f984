import { addDays, daysBetween, type IsoDate, parseIsoDate, type TenantId } from '@melmastoon/domain'
import { addressOf } from './address-property.ts'
import type { City } from './city.ts'
import { type Country, findCountry } from './countries.ts'
import { describeProperty } from './describe-property.ts'
import { furnishProperty } from './furnish-property.ts'
import { nameProperty } from './name-property.ts'
import { placeProperty } from './place-property.ts'
import { planRooms } from './plan-rooms.ts'
import { toKey } from './read-places.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { WorldProperty, WorldRoomType } from './world.ts'
import { worldId } from './world-id.ts'

type PropertyType = WorldProperty['propertyType']
type Kinds = { kind: WorldRoomType['kind']; count: number }[]

export interface PropertyPlan {
  readonly seed: string
  readonly index: number
  readonly anchorDate: IsoDate
  readonly city: City
  readonly tenantId: TenantId
  /** English names already used in the town. */
  readonly taken: Set<string>
}

const SLUG_MAX_CHARS = 63

/** A generated house: determined by the seed and its number. */
export function planProperty(random: SeededRandom, plan: PropertyPlan): WorldProperty {
  const { seed, city, taken } = plan
  const country = findCountry(city.country)
  const propertyType = drawType(random)
  const starRating = drawStars(random, propertyType)
  const quarter = random.pick(city.quarters)
  const name = nameProperty(random, { city, quarter, propertyType, taken })
  const shariaCompliant = random.chance(country.isMostlyMuslim ? 0.62 : 0.12)
  const amenities = furnishProperty(random, { city, propertyType, shariaCompliant, starRating })
  const propertyId = worldId('ppt', seed, String(plan.index))
  const nightlyUsd = drawPrice(random, country, { propertyType, starRating })
  const kinds = drawRooms(random, propertyType, starRating ?? 2)
  const { currency } = country
  const rooms = { seed, propertyId, currency, nightlyUsd, country: city.country, starRating }
  const roomTypes = planRooms({ ...rooms, kinds })
  const openedOn = drawOpening(random, plan.anchorDate)
  const facts = { city, quarter, name, amenities, propertyType, starRating, openedOn }
  return {
    propertyId,
    tenantId: plan.tenantId,
    slug: toKey(`${name.default} ${city.key}`).slice(0, SLUG_MAX_CHARS).replace(/-$/, ''),
    name,
    description: describeProperty(random, { ...facts, ...sizeOf(roomTypes) }),
    ...addressOf(random, city, quarter),
    city: city.key,
    region: city.region.key,
    neighbourhood: quarter.en,
    country: city.country,
    ...placeProperty(random, city, quarter),
    timeZone: city.timeZone,
    propertyType,
    starRating,
    guestRating: drawRating(random),
    amenities,
    shariaCompliant,
    openedOn,
    checkInTime: random.pick(['12:00', '13:00', '14:00', '15:00']),
    checkOutTime: random.pick(['10:00', '11:00', '12:00']),
    cancellation: random.pick(['free', 'free', 'partial', 'partial', 'none']),
    photoCount: random.int(4, 8),
    popularity: drawPopularity(random),
    currency,
    roomTypes,
  }
}

function sizeOf(roomTypes: readonly WorldRoomType[]) {
  const rooms = roomTypes.flatMap((roomType) => roomType.rooms)
  return { rooms: rooms.length, floors: Math.max(...rooms.map(({ floor }) => floor)) }
}

function drawType(random: SeededRandom): PropertyType {
  const draw = random.next()
  if (draw < 0.5) return 'hotel'
  if (draw < 0.8) return 'guesthouse'
  return draw < 0.88 ? 'hostel' : 'apartment'
}

function drawStars(random: SeededRandom, type: PropertyType): number | null {
  if (type === 'hotel') return random.pick([2, 3, 3, 3, 4, 4, 5])
  if (random.chance(0.6)) return null
  return type === 'hostel' ? random.int(1, 2) : random.int(2, 4)
}

const STAR_FACTORS = [0.5, 0.55, 0.75, 1, 1.6, 2.7]
const TYPE_FACTORS = { hotel: 1, guesthouse: 0.8, hostel: 0.5, apartment: 1.05 }

function drawPrice(
  random: SeededRandom,
  country: Country,
  house: { propertyType: PropertyType; starRating: number | null },
): number {
  const { propertyType, starRating } = house
  const stars = starRating === null ? 0.8 : (STAR_FACTORS[starRating] ?? 1)
  return country.nightlyUsd * stars * TYPE_FACTORS[propertyType] * (0.78 + random.next() * 0.5)
}

function drawRooms(random: SeededRandom, type: PropertyType, stars: number): Kinds {
  if (type === 'apartment') return [{ kind: 'apartment', count: random.int(3, 12) }]
  if (type === 'hostel') {
    return [
      { kind: 'dorm', count: random.int(2, 6) },
      { kind: 'twin', count: random.int(2, 5) },
    ]
  }
  const big = type === 'hotel' ? stars : 1
  const kinds: Kinds = [
    { kind: 'king', count: random.int(2, 3 + big * 2) },
    { kind: 'twin', count: random.int(2, 3 + big * 2) },
  ]
  if (random.chance(0.45)) kinds.push({ kind: 'family', count: random.int(1, 2 + big) })
  if (stars >= 3 && random.chance(0.5)) kinds.push({ kind: 'suite', count: random.int(1, 1 + big) })
  return kinds
}

/** New houses have no rating. */
function drawRating(random: SeededRandom): WorldProperty['guestRating'] {
  if (random.chance(0.08)) return null
  const value = 6 + Math.sqrt(random.next()) * 3.8
  return { value: Math.round(value * 10) / 10, count: Math.floor(6 + random.next() ** 3 * 900) }
}

function drawPopularity(random: SeededRandom): WorldProperty['popularity'] {
  const score = Math.round(random.next() ** 1.7 * 1_000) / 1_000
  return { score, viewedLast1h: Math.floor(score * random.int(1, 60)) }
}

const FIRST_OPENING = parseIsoDate('2004-01-01')
const OPENINGS_DAYS = 7_600
const NEW_CYCLE_DAYS = 85

/**
 * Some houses are always new: they count as opened on the last day of their own cycle, so that most
 * of them are unchanged at the next start of the sandbox.
 */
function drawOpening(random: SeededRandom, anchorDate: IsoDate): IsoDate {
  const [isNew, day] = [random.chance(0.045), random.int(0, OPENINGS_DAYS)]
  if (!isNew) return addDays(FIRST_OPENING, day)
  const phase = (daysBetween(FIRST_OPENING, anchorDate) + day) % NEW_CYCLE_DAYS
  return addDays(anchorDate, -phase)
}
