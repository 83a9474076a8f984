import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, type RoomId } from '@melmastoon/domain'
import type { World, WorldStay } from '../../world/world.ts'
import { seedAllocations, seedRoomStays, seedRooms, seedRoomTypes } from './seed-sql.ts'

const ROWS_MAX = 5_000
/** Smaller, because each stay has several nights. */
const STAYS_MAX = 2_000

/** Seeds rooms and sold stays. Idempotent, also with the world of a later day. */
export async function seedInventory(db: Database, world: World): Promise<void> {
  await seedHouses(db, world)
  for (const stays of byRoomType(world.stays)) await db.query(seedAllocations(columnsOf(stays)))
  const numbered = world.stays.filter(hasRoom)
  for (const some of inChunks(numbered, ROWS_MAX)) {
    await db.query(
      seedRoomStays({
        tenants: some.map(({ tenantId }) => idToUuid(tenantId)),
        allocations: some.map(({ reservationId }) => idToUuid(reservationId)),
        rooms: some.map(({ roomId }) => idToUuid(roomId)),
        roomTypes: some.map(({ roomTypeId }) => idToUuid(roomTypeId)),
      }),
    )
  }
}

function hasRoom(stay: WorldStay): stay is WorldStay & { readonly roomId: RoomId } {
  return stay.roomId !== null
}

async function seedHouses(db: Database, { properties }: World): Promise<void> {
  const types = properties.flatMap(({ tenantId, propertyId, timeZone, roomTypes }) => {
    const place = { tenant: idToUuid(tenantId), property: idToUuid(propertyId), timeZone }
    return roomTypes.map(({ roomTypeId, rooms }) => ({
      ...place,
      roomType: idToUuid(roomTypeId),
      rooms: rooms.map(({ roomId }) => idToUuid(roomId)),
    }))
  })
  for (const some of inChunks(types, ROWS_MAX)) {
    await db.query(
      seedRoomTypes({
        tenants: some.map(({ tenant }) => tenant),
        properties: some.map(({ property }) => property),
        roomTypes: some.map(({ roomType }) => roomType),
        capacities: some.map(({ rooms }) => rooms.length),
        timeZones: some.map(({ timeZone }) => timeZone),
      }),
    )
  }
  const rooms = types.flatMap(({ tenant, roomType, rooms: ids }) => {
    return ids.map((room) => ({ tenant, roomType, room }))
  })
  for (const some of inChunks(rooms, ROWS_MAX)) {
    await db.query(
      seedRooms({
        tenants: some.map(({ tenant }) => tenant),
        roomTypes: some.map(({ roomType }) => roomType),
        rooms: some.map(({ room }) => room),
      }),
    )
  }
}

function columnsOf(stays: readonly WorldStay[]) {
  return {
    tenants: stays.map(({ tenantId }) => idToUuid(tenantId)),
    reservations: stays.map(({ reservationId }) => idToUuid(reservationId)),
    properties: stays.map(({ propertyId }) => idToUuid(propertyId)),
    roomTypes: stays.map(({ roomTypeId }) => idToUuid(roomTypeId)),
    rooms: stays.map(({ rooms }) => rooms),
    checkIns: stays.map(({ checkIn }) => checkIn),
    checkOuts: stays.map(({ checkOut }) => checkOut),
    states: stays.map(({ status }) => (status === 'cancelled' ? 'released' : 'committed')),
  }
}

/** Chunks that never split the stays of one room type. */
function byRoomType(stays: readonly WorldStay[]): WorldStay[][] {
  const chunks: WorldStay[][] = []
  for (const group of Map.groupBy(stays, ({ roomTypeId }) => roomTypeId).values()) {
    const last = chunks.at(-1)
    if (last === undefined || last.length + group.length > STAYS_MAX) chunks.push([...group])
    else last.push(...group)
  }
  return chunks
}

function inChunks<T>(rows: readonly T[], size: number): T[][] {
  const count = Math.ceil(rows.length / size)
  return Array.from({ length: count }, (_, index) => rows.slice(index * size, (index + 1) * size))
}
