import { addDays, daysBetween, type IsoDate, uuidToId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cheapestInWorld, documentOfWorld } from '../../src/modules/search/document-of-world.ts'
import type { SearchSources } from '../../src/modules/search/search-sources.ts'
import { siblingSources } from '../../src/modules/search/sibling-sources.ts'
import type { World } from '../../src/world/world.ts'
import { day, seedWorld, startSearch, worldOf } from './start-search.ts'

const WORLD_HOUSES = 5
const world = worldOf(WORLD_HOUSES)
let running: Awaited<ReturnType<typeof startSearch>>
let sources: SearchSources

beforeAll(async () => {
  running = await startSearch(world)
  sources = siblingSources(running.sandbox.ctx.modules)
})
afterAll(() => running[Symbol.asyncDispose]())

describe('the seeded search index', () => {
  it('equals the data of the other modules for every hotel', async () => {
    for (const property of world.properties) {
      const tenant = world.tenants.find(({ tenantId }) => tenantId === property.tenantId)
      if (tenant === undefined) throw new TypeError('a property without a tenant')
      expect(await sources.readListing(property)).toEqual(documentOfWorld(property, tenant))
      expect(await sources.readRates(property)).toEqual({
        cheapest: cheapestInWorld(property),
        revision: 0,
      })
    }
    await expectSameNights(world, day(0))
  })

  it('does not change when seeded again', async () => {
    const before = await changesSoFar()
    await seedWorld(running.environment, world)
    expect(await changesSoFar()).toEqual(before)
  })

  it('replaces listings of earlier versions, which had no payment methods', async () => {
    await running.environment.query(
      `update sandbox.search_listing set document = document - 'paymentMethods'`,
    )
    await seedWorld(running.environment, world)
    const [outdated] = await running.environment.query<{ count: number }>(
      `select count(*)::int as count from sandbox.search_listing
       where not document ? 'paymentMethods'`,
    )
    expect(outdated).toEqual({ count: 0 })
  })

  it('includes the stays of later days', async () => {
    const later = worldOf(WORLD_HOUSES, day(3))
    await seedWorld(running.environment, later)
    await expectSameNights(later, day(3))
  })

  it('uses the inventory, not the generated world', async () => {
    const freed = await running.environment.query(
      `update sandbox.inventory_night set sold = sold - 1 where sold > 0 and night = $1
       returning night`,
      [day(20)],
    )
    expect(freed.length).toBeGreaterThan(0)
    const later = worldOf(WORLD_HOUSES, day(3))
    await seedWorld(running.environment, later)
    await expectSameNights(later, day(3))
  })

  it('has no hotel of another tenant', async () => {
    const [one, two] = world.tenants
    const property = world.properties.find(({ tenantId }) => tenantId === one?.tenantId)
    if (two === undefined || property === undefined) throw new TypeError('a small world')
    const ref = { propertyId: property.propertyId, tenantId: two.tenantId }
    expect(await sources.readListing(ref)).toBeNull()
  })
})

const SPAN_NIGHTS = 90

async function expectSameNights({ properties }: World, from: IsoDate): Promise<void> {
  const stored = await storedNights()
  for (const property of properties) {
    for (const start of [from, addDays(from, SPAN_NIGHTS)]) {
      const observed = await sources.readAvailability(property, start, addDays(start, SPAN_NIGHTS))
      const known = stored.get(property.propertyId) ?? NOTHING
      const skip = daysBetween(known.first_night, start)
      const nights = Array.from({ length: SPAN_NIGHTS }, (_, night) => night + skip)
      const counted = (left: readonly number[], roomsTotal: number) => ({
        roomsTotal,
        roomsLeft: nights.map((night) => left[night] ?? roomsTotal),
      })
      const { rooms_left, rooms_total, room_types, room_type_totals, room_type_rooms_left } = known
      const width = room_type_rooms_left.length / room_types.length
      expect({
        ...counted(rooms_left, rooms_total),
        roomTypes: room_types.map((uuid, type) => ({
          roomTypeId: uuidToId('rmt', uuid),
          ...counted(
            room_type_rooms_left.slice(type * width, (type + 1) * width),
            room_type_totals[type] ?? 0,
          ),
        })),
      }).toEqual(observed)
    }
  }
}

interface StoredNights {
  first_night: IsoDate
  rooms_left: number[]
  rooms_total: number
  room_types: string[]
  room_type_totals: number[]
  room_type_rooms_left: number[]
}

const NOTHING: StoredNights = {
  first_night: day(0),
  rooms_left: [],
  rooms_total: 0,
  room_types: [],
  room_type_totals: [],
  room_type_rooms_left: [],
}

async function storedNights(): Promise<Map<string, StoredNights>> {
  const rows = await running.environment.query<
    StoredNights & { id: string }
  >(`select document ->> 'propertyId' as id, first_night::text, rooms_left, rooms_total,
       room_types::text[] as room_types, room_type_totals, room_type_rooms_left
       from sandbox.search_availability join sandbox.search_listing using (property_id)`)
  return new Map(rows.map((row) => [row.id, row]))
}

async function changesSoFar() {
  return await running.environment.query(`select (select sum(updated_seq)::text from sandbox.search_listing) as listings,
       (select sum(updated_seq)::text from sandbox.search_availability) as availability,
       (select sum(updated_seq)::text from sandbox.search_popularity) as popularity,
       (select sum(updated_seq)::text from sandbox.search_place) as places`)
}
