import {
  addDays,
  CURRENCY_CODES,
  daysBetween,
  type IsoDate,
  isId,
  nightsOf,
  parseIsoDate,
} from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CITIES, findCity } from './cities.ts'
import { toDayNumber } from './day-number.ts'
import { digestWorld } from './digest-world.ts'
import { generateWorld, staffedTenants } from './generate-world.ts'
import { planStays } from './plan-stays.ts'
import type { World, WorldProperty, WorldStay } from './world.ts'

const TODAY = parseIsoDate('2026-03-19')
const SEED = 'melmastoon'
const small = generateWorld({ seed: SEED, anchorDate: TODAY, properties: 60 })

function richIds({ tenants }: World): Set<string> {
  return new Set(tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
}

describe('the world', () => {
  it('is identical to the byte for the same seed and day', () => {
    const again = generateWorld({ seed: SEED, anchorDate: TODAY, properties: 60 })
    expect(digestWorld(again)).toBe(digestWorld(small))
  })

  it('differs for another seed or day', { timeout: 30_000 }, () => {
    const other = generateWorld({ seed: 'another', anchorDate: TODAY, properties: 60 })
    const later = generateWorld({ seed: SEED, anchorDate: addDays(TODAY, 1), properties: 60 })
    const digests = [small, other, later].map(digestWorld)
    expect(new Set(digests).size).toBe(3)
    expect(other.properties[30]?.propertyId).not.toBe(small.properties[30]?.propertyId)
  })

  it('of fewer properties is a prefix of one with more', () => {
    const more = generateWorld({ seed: SEED, anchorDate: TODAY, properties: 90 })
    expect(more.tenants.slice(0, small.tenants.length)).toEqual(small.tenants)
    expect(more.properties.slice(0, small.properties.length)).toEqual(small.properties)
    expect(more.stays.slice(0, small.stays.length)).toEqual(small.stays)
  })

  it('has staff and guests at as many generated hotels as are asked for', () => {
    const options = { seed: SEED, properties: 12, staffed: 8 }
    const world = generateWorld({ ...options, anchorDate: TODAY })
    const rich = richIds(world)
    expect(world.tenants.filter(({ isRich }) => isRich).map(({ slug }) => slug)).toEqual(
      staffedTenants(options),
    )
    const staffed = world.properties.slice(-12).filter(({ tenantId }) => rich.has(tenantId))
    expect(new Set(staffed.map(({ tenantId }) => tenantId)).size).toBe(8)
    const inHouse = world.stays.filter(({ status, roomId }) => status === 'in_house' && roomId)
    const occupied = new Set(inHouse.map(({ propertyId }) => propertyId))
    expect(staffed.filter(({ propertyId }) => !occupied.has(propertyId))).toEqual([])
  })

  it('has unique ids and addresses', () => {
    const { tenants, properties, stays } = small
    const roomTypes = properties.flatMap((property) => property.roomTypes)
    const rooms = roomTypes.flatMap((roomType) => roomType.rooms.map(({ roomId }) => roomId))
    for (const ids of [
      tenants.map(({ tenantId }) => tenantId),
      tenants.map(({ slug }) => slug),
      tenants.flatMap(({ customDomains }) => customDomains),
      properties.map(({ propertyId }) => propertyId),
      roomTypes.map(({ roomTypeId }) => roomTypeId),
      rooms,
      stays.map(({ reservationId }) => reservationId),
    ]) {
      expect(new Set(ids).size).toBe(ids.length)
    }
    expect(properties.every(({ propertyId }) => isId('ppt', propertyId))).toBe(true)
    const slug = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
    expect(tenants.filter((tenant) => !slug.test(tenant.slug))).toEqual([])
    expect(properties.filter((property) => !slug.test(property.slug))).toEqual([])
  })

  it('is generated quickly at full size with valid locations', { timeout: 30_000 }, () => {
    const start = performance.now()
    const world = generateWorld({ seed: SEED, anchorDate: TODAY, properties: 3_600 })
    process.stdout.write(`3600 properties, ${world.stays.length} stays: ${msSince(start)} ms\n`)
    const perCity = Map.groupBy(world.properties, ({ city }) => city)
    expect(perCity.get('kabul')?.length).toBeGreaterThan(300)
    expect(perCity.size).toBeGreaterThan(100)
    expect(world.tenants.length).toBeGreaterThan(300)
    const byFiji = perCity.get('taveuni') ?? []
    expect(byFiji.some(({ lng }) => lng > 179)).toBe(true)
    expect(byFiji.some(({ lng }) => lng < -179)).toBe(true)
    const slugs = world.properties.map(({ tenantId, slug }) => `${tenantId} ${slug}`)
    expect(new Set(slugs).size).toBe(slugs.length)
    const fresh = world.properties.filter(({ openedOn }) => openedOn > addDays(TODAY, -90))
    expect(fresh.length).toBeGreaterThan(60)
    expect(world.properties.every(({ openedOn }) => openedOn <= TODAY)).toBe(true)
    expect(world.properties.every(({ currency }) => CURRENCY_CODES.includes(currency))).toBe(true)
    expect(new Set(world.properties.map(({ currency }) => currency)).size).toBe(7)
  })

  it('C22 places every house nearest to its own neighbourhood', () => {
    const kmTo = (house: WorldProperty, quarter: { lat: number; lng: number }) => {
      const perLng = Math.cos((house.lat * Math.PI) / 180)
      const dLng = Math.abs(((house.lng - quarter.lng + 540) % 360) - 180) * perLng
      return Math.hypot(house.lat - quarter.lat, dLng) * 111.32
    }
    const misplaced = small.properties.filter((house) => {
      const { quarters, spreadKm } = findCity(house.city)
      const [nearest] = quarters.toSorted((a, b) => kmTo(house, a) - kmTo(house, b))
      const isNear = nearest !== undefined && kmTo(house, nearest) <= spreadKm
      return !isNear || nearest.en !== house.neighbourhood
    })
    expect(misplaced).toEqual([])
  })

  it('has a dozen detailed tenants, including the six Afghan towns', () => {
    const rich = small.tenants.filter(({ isRich }) => isRich)
    expect(rich.length).toBeGreaterThanOrEqual(12)
    expect(new Set(rich.map(({ brand }) => brand.hue)).size).toBe(rich.length)
    const ids = richIds(small)
    const towns = small.properties.filter(({ tenantId }) => ids.has(tenantId))
    expect(towns.map(({ city }) => city)).toEqual(
      expect.arrayContaining([
        'kabul',
        'herat',
        'mazar-i-sharif',
        'bamyan',
        'kandahar',
        'jalalabad',
        'islamabad',
        'dubai',
      ]),
    )
  })
})

it('has a hotel whose payments are not configured', () => {
  const unpaid = small.tenants.filter(({ paymentMethods }) => paymentMethods.length === 0)
  expect(unpaid.map(({ slug }) => slug)).toEqual(['sarai-qala'])
})

/** The parts that do not change over time. */
function timeless({ status: _status, roomId: _roomId, ...stay }: WorldStay) {
  return stay
}

/** Rooms used per night, including cancelled stays. */
function mostTaken(stays: readonly WorldStay[]): Map<string, number> {
  const taken = new Map<string, number>()
  for (const stay of stays) {
    for (const night of nightsOf(stay)) {
      const key = `${stay.roomTypeId} ${night}`
      taken.set(key, (taken.get(key) ?? 0) + stay.rooms)
    }
  }
  return taken
}

function overbooked(property: WorldProperty, stays: readonly WorldStay[]) {
  const rooms = new Map(property.roomTypes.map((type) => [type.roomTypeId as string, type.rooms]))
  return [...mostTaken(stays)].filter(([key, taken]) => {
    const count = rooms.get(key.slice(0, key.indexOf(' ')))?.length ?? 0
    return taken > count
  })
}

const anyDay = fc
  .integer({ min: 0, max: 4_000 })
  .map((days) => addDays(parseIsoDate('2024-01-01'), days))
const anyHouse = fc.nat({ max: small.properties.length - 1 })

function staysOf(index: number, today: IsoDate, isRich?: boolean) {
  const property = small.properties[index]
  if (property === undefined) throw new TypeError('no such property')
  const rich = isRich ?? richIds(small).has(property.tenantId)
  return {
    property,
    stays: planStays({ seed: SEED, today: toDayNumber(today), property, isRich: rich }),
  }
}

describe('the stays of the world', () => {
  it('never use more rooms in a night than exist', () => {
    fc.assert(
      fc.property(anyHouse, anyDay, (index, today) => {
        const { property, stays } = staysOf(index, today)
        expect(overbooked(property, stays)).toEqual([])
      }),
      { numRuns: 80 },
    )
  })

  it('control: the same stays in a smaller house exceed its rooms', () => {
    const { property, stays } = staysOf(0, TODAY)
    const roomTypes = property.roomTypes.map((type) => ({ ...type, rooms: type.rooms.slice(0, 1) }))
    expect(overbooked({ ...property, roomTypes }, stays)).not.toEqual([])
  })

  it('are stable from one day to the next', () => {
    fc.assert(
      fc.property(anyHouse, anyDay, (index, today) => {
        const now = staysOf(index, today).stays
        const later = staysOf(index, addDays(today, 1)).stays
        const known = new Map(now.map((stay) => [stay.reservationId, timeless(stay)]))
        const shared = later.filter(({ reservationId }) => known.has(reservationId))
        expect(shared.map(timeless)).toEqual(
          shared.map(({ reservationId }) => known.get(reservationId)),
        )
        const added = later.filter(({ reservationId }) => !known.has(reservationId))
        const isNews = ({ bookedAt, checkIn }: WorldStay) =>
          bookedAt.startsWith(today) || daysBetween(today, checkIn) > 110
        expect(added.filter((stay) => !isNews(stay))).toEqual([])
        const ids = new Set(later.map(({ reservationId }) => reservationId))
        const gone = now.filter(({ reservationId }) => !ids.has(reservationId))
        for (const { checkOut } of gone) expect(daysBetween(checkOut, today)).toBeGreaterThan(5)
      }),
      { numRuns: 60 },
    )
  })

  it('range from a month ago to four months ahead', () => {
    const days = small.stays.map(({ checkIn }) => daysBetween(TODAY, checkIn))
    expect(Math.min(...days)).toBeLessThanOrEqual(-30)
    expect(Math.max(...days)).toBeGreaterThanOrEqual(118)
  })

  it('range over two years at the detailed hotels, without a gap, when that is requested', {
    timeout: 30_000,
  }, () => {
    const stayDays = 365
    const world = generateWorld({ seed: SEED, anchorDate: TODAY, properties: 2, stayDays })
    const rich = richIds(world)
    const offsets = world.stays
      .filter(({ tenantId }) => rich.has(tenantId))
      .flatMap((stay) => nightsOf(stay).map((night) => daysBetween(TODAY, night)))
    const nights = new Map<number, number>()
    for (const offset of offsets) nights.set(offset, (nights.get(offset) ?? 0) + 1)
    for (let day = -365; day < 365; day += 1)
      expect(nights.get(day) ?? 0, `${day}`).toBeGreaterThan(20)
    expect(nights.get(300) ?? 0).toBeLessThan((nights.get(-65) ?? 0) / 2)
    const others = world.stays.filter(({ tenantId }) => !rich.has(tenantId))
    for (const { checkIn } of others) expect(daysBetween(checkIn, TODAY)).toBeLessThan(40)
    const near = new Map(small.stays.map((stay) => [stay.reservationId, stay]))
    const shared = world.stays.filter(({ reservationId }) => near.has(reservationId))
    expect(shared).toEqual(shared.map(({ reservationId }) => near.get(reservationId)))
    expect(shared.length).toBeGreaterThan(10_000)
  })

  it('were booked before today and before the arrival', () => {
    const late = small.stays.filter(({ bookedAt, checkIn }) => {
      return bookedAt.slice(0, 10) >= TODAY || bookedAt.slice(0, 10) >= checkIn
    })
    expect(late).toEqual([])
    const yesterday = addDays(TODAY, -1)
    const fresh = small.stays.filter(({ bookedAt }) => bookedAt.startsWith(yesterday))
    expect(fresh.length).toBeGreaterThan(20)
  })

  it('have the status of their day', () => {
    const wrong = small.stays.filter(({ status, checkIn, checkOut }) => {
      if (status === 'in_house') return checkIn > TODAY || checkOut < TODAY
      if (status === 'confirmed') return checkIn < TODAY
      if (status === 'checked_out') return checkOut >= TODAY
      return status === 'no_show' && checkIn >= TODAY
    })
    expect(wrong).toEqual([])
    const seen = new Set(small.stays.map(({ status }) => status))
    expect(seen.size).toBe(5)
  })

  it('assign a room to every guest in house and every arrival of today', () => {
    const rich = richIds(small)
    const due = small.stays.filter(({ tenantId, status, checkIn }) => {
      const isHere = status === 'in_house' || (status === 'confirmed' && checkIn === TODAY)
      return rich.has(tenantId) && isHere
    })
    expect(due.length).toBeGreaterThan(100)
    expect(due.filter(({ roomId }) => roomId === null)).toEqual([])
    const assigned = small.stays.filter(({ roomId }) => roomId !== null)
    const past = assigned.filter(({ status }) => status === 'checked_out')
    expect(assigned.length).toBe(due.length + past.length)
    expect(past.every(({ checkOut }) => daysBetween(checkOut, TODAY) <= 30)).toBe(true)
    const nights = assigned.flatMap((stay) =>
      nightsOf(stay).map((night) => `${stay.roomId} ${night}`),
    )
    expect(new Set(nights).size).toBe(nights.length)
    const here = assigned.filter(({ status }) => status === 'in_house').map(({ roomId }) => roomId)
    expect(new Set(here).size).toBe(here.length)
  })

  it('are more frequent in the season: Bamyan in July, Dubai in January', () => {
    const nightsIn = (city: string, today: string) => {
      const index = small.properties.findIndex((property) => property.city === city)
      const { stays } = staysOf(index, parseIsoDate(today), true)
      return stays.reduce((sum, stay) => sum + nightsOf(stay).length, 0)
    }
    expect(nightsIn('bamyan', '2026-06-15')).toBeGreaterThan(nightsIn('bamyan', '2025-12-15'))
    expect(nightsIn('dubai', '2025-12-15')).toBeGreaterThan(nightsIn('dubai', '2026-06-15'))
  })

  it('stays small: some stays for each room type of the many houses', () => {
    const rich = richIds(small)
    const many = small.properties.filter(({ tenantId }) => !rich.has(tenantId))
    const roomTypes = many.reduce((sum, property) => sum + property.roomTypes.length, 0)
    const stays = small.stays.filter(({ tenantId }) => !rich.has(tenantId)).length
    expect(stays / roomTypes).toBeGreaterThan(1)
    expect(stays / roomTypes).toBeLessThan(8)
    expect(CITIES.length).toBeGreaterThan(80)
  })
})

function msSince(start: number): number {
  return Math.round(performance.now() - start)
}
