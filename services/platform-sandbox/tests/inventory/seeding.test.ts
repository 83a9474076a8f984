import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, idToUuid, newId, nightsOf, parseIsoDate } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedInventory } from '../../src/modules/inventory/seed-inventory.ts'
import { seedReservation } from '../../src/modules/reservation/seed-reservation.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { World } from '../../src/world/world.ts'
import { reconcile } from '../no-oversell/hotel.ts'
import { sandboxEnvironment, type TestEnvironment } from '../start-sandbox.ts'

let environment: TestEnvironment

beforeAll(async () => {
  environment = await sandboxEnvironment()
})

afterAll(() => environment[Symbol.asyncDispose]())

async function seed(world: World): Promise<void> {
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  await seedInventory(db, world)
  await seedReservation(db, world)
}

const DAY = parseIsoDate('2026-11-15')
/** A few of the detailed hotels and all others: the detailed ones have hundreds of stays each. */
function worldOf(anchorDate = DAY): World {
  const world = generateWorld({ seed: 'tests', anchorDate, properties: 40 })
  const properties = [...world.properties.slice(0, 2), ...world.properties.slice(-40)]
  const known = new Set(properties.map(({ propertyId }) => propertyId))
  return { ...world, properties, stays: world.stays.filter((stay) => known.has(stay.propertyId)) }
}

describe('the rooms of the demo world', () => {
  it('are consistent after seeding, also when repeated', async () => {
    const world = worldOf()
    await seed(world)
    expect(await reconcile(environment)).toEqual([])
    expect(await environment.countRows('reservation_booking')).toBe(world.stays.length)
    expect(await environment.countRows('reservation_guest')).toBe(world.stays.length)
    const assigned = world.stays.filter((stay) => {
      return stay.roomId !== null && stay.status !== 'cancelled'
    })
    expect(await environment.countRows('inventory_room_stay')).toBe(assigned.length)
    const sold = world.stays.filter(({ status }) => status !== 'cancelled')
    const nights = sold.reduce((sum, stay) => sum + nightsOf(stay).length * stay.rooms, 0)
    const [row] = await environment.query<{ sold: number }>(
      'select sum(sold - channel)::int as sold from sandbox.inventory_night',
    )
    expect(row?.sold).toBe(nights)
    await seed(world)
    expect(await environment.countRows('reservation_booking')).toBe(world.stays.length)
    expect(await reconcile(environment)).toEqual([])
  })

  it('respect rooms sold since, on a later day', async () => {
    const world = worldOf()
    const [property] = world.properties
    const [type] = property?.roomTypes ?? []
    if (property === undefined || type === undefined) throw new TypeError('a world with rooms')
    const ours = { tenantId: property.tenantId, roomTypeId: type.roomTypeId }
    await environment.query(
      `insert into sandbox.inventory_night (tenant_id, room_type_id, night, capacity)
       select $1, $2, $3::date + d, 0 from generate_series(300, 330) d on conflict do nothing`,
      [idToUuid(ours.tenantId), idToUuid(ours.roomTypeId), DAY],
    )
    const late = addDays(DAY, 70)
    const later = worldOf(late)
    const stay = later.stays.find(({ roomTypeId }) => roomTypeId === type.roomTypeId)
    if (stay === undefined) throw new TypeError('a world with stays')
    const blocked = {
      ...stay,
      reservationId: newId('rsv'),
      status: 'confirmed' as const,
      checkIn: addDays(DAY, 310),
      checkOut: addDays(DAY, 312),
    }
    await seed({ ...later, stays: [...later.stays, blocked] })
    expect(await reconcile(environment)).toEqual([])
    const where = `reservation_id = '${idToUuid(blocked.reservationId)}'`
    expect(await environment.countRows('reservation_booking', where)).toBe(0)
    expect(await environment.countRows('reservation_booking')).toBeGreaterThan(world.stays.length)
  })
})
