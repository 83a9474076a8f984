import type { Locale } from '@melmastoon/domain'
import { findCity } from './cities.ts'
import type { City } from './city.ts'
import { type DayNumber, toDate } from './day-number.ts'
import { occupancyOn } from './occupancy.ts'
import { SeededRandom } from './seeded-random.ts'
import { hasRoom, type Planned, type StayOutcome, statusOn } from './stay-status.ts'
import { guestName } from './words/guest-names.ts'
import { drawRequest } from './words/guest-requests.ts'
import type { WorldProperty, WorldRoomType, WorldStay } from './world.ts'
import { worldId } from './world-id.ts'

/** The stays of detailed hotels begin at least this many days before today. */
export const STAY_DAYS_MIN = 30
/** Those of generated hotels, which have no staff who would look at them, begin later. */
const GENERATED_STAY_DAYS = 7
/** The stays of generated houses end this many days after today. */
const COMING_NIGHTS = 120
/** The earliest booking of a stay, in days before the arrival. */
const LEAD_DAYS_MAX = { detailed: 420, generated: 120 }
const WEEK = 7
const NIGHTS_MAX = 5
const MEAN_NIGHTS = 2.7
/** On the platform, for a room type of the most popular generated house, per week. */
const BOOKINGS_MAX = 1.5

export interface StaysPlan {
  readonly seed: string
  readonly today: DayNumber
  /** The earliest day whose stays are included as of `today`, with the past of that day. */
  readonly since?: DayNumber
  /** At least `STAY_DAYS_MIN`; for detailed hotels. */
  readonly stayDays?: number
  readonly property: WorldProperty
  /** Individual rooms with named guests; otherwise a few bookings per room type. */
  readonly isRich: boolean
}

/** A room, or all rooms of a type together. */
interface RoomPlan extends StaysPlan {
  readonly roomType: WorldRoomType
  readonly room: WorldRoomType['rooms'][number] | null
  readonly city: City
  /** The key from which the ids of the stays are derived. */
  readonly key: string
}

interface Drawn extends Planned {
  readonly rooms: number
}

interface Booked extends Drawn {
  readonly bookedOn: DayNumber
  /** Its number among the stays of the room or type in its week. */
  readonly index: number
}

/**
 * The time of a room, or of all rooms of a type together, is divided into weeks that begin on a
 * weekday of their own, and no stay crosses a week boundary. Every week is generated independently.
 * So no room is assigned twice, and a world generated later contains the same stays and more.
 */
export function planStays(plan: StaysPlan): WorldStay[] {
  const city = findCity(plan.property.city)
  return plan.property.roomTypes.flatMap((roomType) => {
    const shared = { ...plan, city, roomType }
    if (!plan.isRich) return planRoom({ ...shared, room: null, key: roomType.roomTypeId })
    return roomType.rooms.flatMap((room) => planRoom({ ...shared, room, key: room.roomId }))
  })
}

function planRoom(plan: RoomPlan): WorldStay[] {
  const random = SeededRandom.of(`${plan.seed}:stays:${plan.key}`)
  const offset = random.int(0, WEEK - 1)
  const { today, since = today } = plan
  const { stayDays = STAY_DAYS_MIN } = plan
  const days = plan.room ? Math.max(stayDays, STAY_DAYS_MIN) : GENERATED_STAY_DAYS
  const first = Math.floor((since - days - offset) / WEEK)
  const last = Math.floor((today + Math.max(days, COMING_NIGHTS) - offset) / WEEK)
  const stays: WorldStay[] = []
  for (let week = first; week <= last; week += 1) {
    const ofWeek = random.fork(week)
    const start = week * WEEK + offset
    const drawn = plan.room ? drawGuests(ofWeek, plan, start) : drawBookings(ofWeek, plan, start)
    for (const [index, stay] of drawn.entries()) {
      const ofStay = ofWeek.fork(index)
      const bookedOn = stay.checkIn - drawLeadDays(ofStay, plan)
      if (bookedOn < today) stays.push(book(ofStay, plan, { ...stay, bookedOn, index }))
    }
  }
  return stays
}

/** Few guests book very early; all arrivals of a day were booked before it. */
function drawLeadDays(random: SeededRandom, { room }: RoomPlan): number {
  const daysMax = room ? LEAD_DAYS_MAX.detailed : LEAD_DAYS_MAX.generated
  return 1 + Math.floor(random.next() ** 1.1 * (daysMax - 1))
}

/** One guest after the other in one room, with some nights in between. */
function drawGuests(random: SeededRandom, plan: RoomPlan, start: DayNumber): Drawn[] {
  const stays: Drawn[] = []
  const end = start + WEEK
  let day = start
  let isJustLeft = true
  while (day < end) {
    const full = Math.min(1, occupancyOn(plan.city, day))
    if (!random.chance(full / (full + MEAN_NIGHTS * (1 - full)))) {
      isJustLeft = false
      day += 1
      continue
    }
    const nights = Math.min(1 + Math.floor(random.next() ** 1.4 * NIGHTS_MAX), end - day)
    const isEarly = !isJustLeft && random.chance(0.35)
    stays.push({
      checkIn: day,
      checkOut: day + nights,
      // In a night for which many guests search, a cancelled room is booked again.
      outcome: full === 1 ? 'arrives' : drawOutcome(random),
      isEarly,
      rooms: 1,
    })
    isJustLeft = true
    day += nights
  }
  return stays
}

/** More in popular houses; never more rooms than there are, even if all overlap. */
function drawBookings(random: SeededRandom, plan: RoomPlan, start: DayNumber): Drawn[] {
  const { score } = plan.property.popularity
  const count = Math.floor(score ** 2 * BOOKINGS_MAX + random.next() * 0.9)
  const rooms = plan.roomType.rooms.length
  return Array.from({ length: Math.min(count, rooms) }, () => {
    const nights = random.int(1, NIGHTS_MAX)
    const checkIn = start + random.int(0, WEEK - nights)
    const outcome = drawOutcome(random)
    return { checkIn, checkOut: checkIn + nights, outcome, isEarly: false, rooms: 1 }
  })
}

function drawOutcome(random: SeededRandom): StayOutcome {
  const draw = random.next()
  if (draw < 0.9) return 'arrives'
  return draw < 0.96 ? 'cancelled' : 'no_show'
}

function book(random: SeededRandom, plan: RoomPlan, stay: Booked): WorldStay {
  const { property, roomType, room, today, seed } = plan
  const { checkIn, checkOut, rooms, index } = stay
  const guestLocale = drawLocale(random, property.country)
  return {
    reservationId: worldId('rsv', seed, `${plan.key}:${checkIn}${room ? '' : `:${index}`}`),
    tenantId: property.tenantId,
    propertyId: property.propertyId,
    roomTypeId: roomType.roomTypeId,
    roomId: room !== null && hasRoom(today, stay) ? room.roomId : null,
    rooms,
    checkIn: toDate(checkIn),
    checkOut: toDate(checkOut),
    bookedAt: `${toDate(stay.bookedOn)}T${drawTime(random)}:00Z`,
    status: statusOn(today, stay),
    guestName: guestName(random, guestLocale),
    guestLocale,
    arrivalTime: drawArrivalTime(random),
    specialRequests: random.chance(0.08) ? drawRequest(random, guestLocale) : null,
    adults: rooms * random.int(1, Math.min(2, roomType.adultsMax)),
    children: roomType.childrenMax > 0 && random.chance(0.2) ? rooms : 0,
    totalMicro: roomType.baseNightlyMicro * BigInt((checkOut - checkIn) * rooms),
    currency: property.currency,
  }
}

function drawTime(random: SeededRandom): string {
  const [hour, minute] = [random.int(0, 23), random.int(0, 59)]
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

function drawArrivalTime(random: SeededRandom): string | null {
  if (random.chance(0.4)) return null
  return `${random.int(12, 22)}:${random.chance(0.5) ? '00' : '30'}`
}

function drawLocale(random: SeededRandom, country: string): Locale {
  const draw = random.next()
  const [fa, ps] = country === 'AF' ? [0.45, 0.82] : [0.2, 0.3]
  if (draw < fa) return 'fa-AF'
  return draw < ps ? 'ps-AF' : 'en'
}
