import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, type IsoDate, parseIsoDate } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedHousekeeping } from '../../src/modules/housekeeping/seed-housekeeping.ts'
import { seedMaintenance } from '../../src/modules/maintenance/seed-maintenance.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import type { World } from '../../src/world/world.ts'
import { sandboxEnvironment, type TestEnvironment } from '../start-sandbox.ts'

let environment: TestEnvironment

beforeAll(async () => {
  environment = await sandboxEnvironment()
})

afterAll(() => environment[Symbol.asyncDispose]())

const DAY = parseIsoDate('2026-11-15')

function worldOf(anchorDate: IsoDate): World {
  const world = generateWorld({ seed: 'rooms', anchorDate, properties: 3 })
  const properties = [...world.properties.slice(0, 2), ...world.properties.slice(-3)]
  const known = new Set(properties.map(({ propertyId }) => propertyId))
  return { ...world, properties, stays: world.stays.filter((stay) => known.has(stay.propertyId)) }
}

async function seed(world: World): Promise<void> {
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 1,
    onError: () => undefined,
  })
  await seedMaintenance(db, world)
  await seedHousekeeping(db, world)
}

const roomsIn = (world: World, properties: number) =>
  world.properties
    .slice(0, properties)
    .flatMap(({ roomTypes }) => roomTypes.flatMap(({ rooms }) => rooms))

const guestsIn = ({ stays }: World) =>
  stays.filter(({ status, roomId }) => status === 'in_house' && roomId !== null).length

const count = (table: string, where?: string) => environment.countRows(table, where)
const countBlocked = () =>
  environment.query(
    `select r.room_id from sandbox.housekeeping_room r join sandbox.maintenance_work_order o
       using (tenant_id, room_id)
     where o.blocks_room and o.status <> 'verified' and 'out_of_order' = any (r.flags)`,
  )

describe('the rooms and work orders of the demo world', () => {
  it('exist at the detailed hotels only, consistent with the guests in house', async () => {
    const world = worldOf(DAY)
    await seed(world)
    expect(await count('housekeeping_room')).toBe(roomsIn(world, 2).length)
    expect(await count('housekeeping_room', 'occupied_by is not null')).toBe(guestsIn(world))
    expect(guestsIn(world)).toBeGreaterThan(5)
    expect(await count('housekeeping_task')).toBeGreaterThan(5)
    expect(await countBlocked()).toHaveLength(2)
    expect(await count('housekeeping_room', `'out_of_order' = any (flags)`)).toBe(2)
    const orders = await count('maintenance_work_order')
    await seed(world)
    expect(await count('maintenance_work_order')).toBe(orders)
    expect(await count('housekeeping_room', 'version > 1')).toBe(0)
  })

  it('follow the stays on a later day, without overriding what staff has done', async () => {
    const later = worldOf(addDays(DAY, 2))
    const [taken] = await environment.query<{ room_id: string }>(
      `update sandbox.housekeeping_room set seeded_on = null, occupied_by = gen_random_uuid(),
         occupied_on = '2026-11-15'
       where room_id = (select room_id from sandbox.housekeeping_room
         where occupied_by is not null limit 1) returning room_id`,
    )
    await seed(later)
    const open = `status in ('pending', 'in_progress') and scheduled_for < '2026-11-17'`
    expect(await count('housekeeping_task', open)).toBe(0)
    expect(await countBlocked()).toHaveLength(2)
    expect(await count('housekeeping_room', `'out_of_order' = any (flags)`)).toBe(2)
    const where = `room_id = '${String(taken?.room_id)}' and seeded_on is null and version = 1`
    expect(await count('housekeeping_room', where)).toBe(1)
  })
})
