import { addDays, daysBetween, nightsOf, parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { CHANNEL_NIGHTS, channelSales } from './channel-sales.ts'
import { findCity } from './cities.ts'
import { findCountry } from './countries.ts'
import { toDayNumber } from './day-number.ts'
import { generateWorld } from './generate-world.ts'
import type { World, WorldProperty } from './world.ts'

const TODAY = parseIsoDate('2026-03-19')
const options = { seed: 'melmastoon', anchorDate: TODAY, properties: 60 }
const world = generateWorld({ ...options, properties: 700 })

interface SoldNights {
  readonly property: WorldProperty
  readonly isRich: boolean
  readonly capacity: number
  /** From the day before today. */
  readonly sold: number[]
}

function soldOf({ tenants, stays, anchorDate, ...rest }: World): SoldNights[] {
  const rich = new Set(tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  const own = Map.groupBy(stays, ({ roomTypeId }) => roomTypeId)
  const plans = [...channelSales({ ...rest, tenants, stays, anchorDate })]
  return plans.map(({ property, roomType, sold: elsewhere }) => {
    const sold = [...(elsewhere ?? Array.from({ length: CHANNEL_NIGHTS }, () => 0))]
    for (const stay of own.get(roomType.roomTypeId) ?? []) {
      if (stay.status === 'cancelled') continue
      for (const night of nightsOf(stay)) {
        const at = daysBetween(anchorDate, night) + 1
        if (at >= 0 && at < sold.length) sold[at] = (sold[at] ?? 0) + stay.rooms
      }
    }
    const isRich = rich.has(property.tenantId)
    return { property, isRich, capacity: roomType.rooms.length, sold }
  })
}

const types = soldOf(world)
const NEAR_NIGHTS = 60

function occupancy(
  some: readonly SoldNights[],
  isCounted: (property: WorldProperty, night: number) => boolean = () => true,
): number {
  let [sold, rooms] = [0, 0]
  for (const { property, capacity, sold: nights } of some) {
    for (let night = 1; night <= NEAR_NIGHTS; night += 1) {
      if (!isCounted(property, night)) continue
      sold += nights[night] ?? 0
      rooms += capacity
    }
  }
  return sold / rooms
}

describe('C22 the occupancy of the world', () => {
  it('never exceeds the rooms of a type', () => {
    const over = types.filter(({ capacity, sold }) => sold.some((rooms) => rooms > capacity))
    expect(over).toEqual([])
  })

  it('is plausible in the next two months, at detailed and at generated hotels', () => {
    for (const isRich of [true, false]) {
      const share = occupancy(types.filter((type) => type.isRich === isRich))
      expect(share, `${isRich}`).toBeGreaterThan(0.45)
      expect(share, `${isRich}`).toBeLessThan(0.75)
    }
  })

  it('is higher in the nights before a weekend', () => {
    const isBusy = ({ country }: WorldProperty, night: number) => {
      const weekday = (toDayNumber(TODAY) - 1 + night + 4) % 7
      return findCountry(country).busyNights.includes(weekday)
    }
    const quiet = occupancy(types, (property, night) => !isBusy(property, night))
    expect(occupancy(types, isBusy) - quiet).toBeGreaterThan(0.08)
  })

  it('is higher in the season', { timeout: 30_000 }, () => {
    const summer = soldOf(generateWorld({ ...options, anchorDate: parseIsoDate('2026-06-20') }))
    const winter = soldOf(generateWorld({ ...options, anchorDate: parseIsoDate('2026-12-20') }))
    const inMountains = ({ property }: SoldNights) => findCity(property.city).scenery === 'mountain'
    const inSummer = occupancy(summer.filter(inMountains))
    expect(inSummer - occupancy(winter.filter(inMountains))).toBeGreaterThan(0.1)
  })

  it('leaves no room of some types, and of some hotels, in some nights', () => {
    const isFull = ({ sold, capacity }: SoldNights, night: number) => sold[night] === capacity
    const nights = Array.from({ length: NEAR_NIGHTS }, (_, night) => night + 1)
    const fullTypes = types.flatMap((type) => nights.filter((night) => isFull(type, night)))
    const share = fullTypes.length / (types.length * NEAR_NIGHTS)
    expect(share).toBeGreaterThan(0.05)
    expect(share).toBeLessThan(0.35)
    const hotels = [...Map.groupBy(types, ({ property }) => property).values()]
    const fullHotels = hotels.flatMap((ofHotel) =>
      nights.filter((night) => ofHotel.every((type) => isFull(type, night))),
    )
    const shareOfHotels = fullHotels.length / (hotels.length * NEAR_NIGHTS)
    expect(shareOfHotels).toBeGreaterThan(0.01)
    expect(shareOfHotels).toBeLessThan(0.15)
  })

  it('grows as the days pass, without returned rooms', { timeout: 30_000 }, () => {
    const ahead = 40
    const later = generateWorld({ ...options, anchorDate: addDays(TODAY, ahead) })
    const before = soldOf(generateWorld({ ...options }))
    const returned = soldOf(later).filter(({ sold, isRich }, index) => {
      const known = before[index]?.sold.slice(ahead) ?? []
      return !isRich && sold.slice(1, NEAR_NIGHTS).some((rooms, at) => rooms < (known[at + 1] ?? 0))
    })
    expect(returned).toEqual([])
  })
})
