import type { Database } from '@melmastoon/chassis/db'
import { addDays, idToUuid, type RoomId } from '@melmastoon/domain'
import { batchesOf, seedBatches } from '../../seed-batches.ts'
import { type ChannelSales, channelSales } from '../../world/channel-sales.ts'
import type { World, WorldStay } from '../../world/world.ts'
import { seedAllocations, seedRoomStays, seedRooms, seedRoomTypes } from './seed-sql.ts'

const ROWS_MAX = 5_000
/** Smaller, because each stay has several nights. */
const STAYS_MAX = 2_000

export async function seedInventory(db: Database, world: World): Promise<void> {
  await seedCapacity(db, world)
  await seedSales(db, world)
}

/** Rooms, and what other channels sold of them. Idempotent, also with the world of a later day. */
export async function seedCapacity(db: Database, world: World): Promise<void> {
  const channelFrom = addDays(world.anchorDate, -1)
  await seedBatches(batchesOf(channelSales(world), ROWS_MAX), async (some) => {
    const rows = some.map(toRoomTypeRow)
    const columns = {
      tenants: rows.map(({ tenant }) => tenant),
      properties: rows.map(({ property }) => property),
      roomTypes: rows.map(({ roomType }) => roomType),
      capacities: rows.map(({ rooms }) => rooms.length),
      timeZones: rows.map(({ timeZone }) => timeZone),
      channelSales: rows.map(({ channelSold }) => channelSold),
    }
    await db.query(seedRoomTypes(columns, channelFrom))
    const rooms = rows.flatMap(({ tenant, roomType, rooms: ids }) =>
      ids.map((room) => ({ tenant, roomType, room })),
    )
    await db.query(
      seedRooms({
        tenants: rooms.map(({ tenant }) => tenant),
        roomTypes: rooms.map(({ roomType }) => roomType),
        rooms: rooms.map(({ room }) => room),
      }),
    )
  })
}

function toRoomTypeRow({ property, roomType, sold }: ChannelSales) {
  return {
    tenant: idToUuid(property.tenantId),
    property: idToUuid(property.propertyId),
    timeZone: property.timeZone,
    roomType: idToUuid(roomType.roomTypeId),
    rooms: roomType.rooms.map(({ roomId }) => idToUuid(roomId)),
    channelSold: sold === null ? null : `{${sold.join(',')}}`,
  }
}

/** After `seedCapacity`: sold stays. Idempotent, also with the changes since an earlier day. */
export async function seedSales(db: Database, world: World): Promise<void> {
  await seedBatches(byRoomType(world.stays), (stays) => db.query(seedAllocations(columnsOf(stays))))
  const numbered = world.stays.filter(hasRoom)
  for (const some of batchesOf(numbered, ROWS_MAX)) {
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

function columnsOf(stays: readonly WorldStay[]) {
  return {
    tenants: stays.map(({ tenantId }) => idToUuid(tenantId)),
    reservations: stays.map(({ reservationId }) => idToUuid(reservationId)),
    properties: stays.map(({ propertyId }) => idToUuid(propertyId)),
    roomTypes: stays.map(({ roomTypeId }) => idToUuid(roomTypeId)),
    rooms: stays.map(({ rooms }) => rooms),
    checkIns: stays.map(({ checkIn }) => checkIn),
    checkOuts: stays.map(({ checkOut }) => checkOut),
    bookedAt: stays.map(({ bookedAt }) => bookedAt),
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
