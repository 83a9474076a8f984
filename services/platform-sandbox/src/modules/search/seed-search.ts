import type { Database, Tx } from '@melmastoon/chassis/db'
import { addDays, type IsoDate, idToUuid, uuidToId } from '@melmastoon/domain'
import { batchesOf, seedBatches } from '../../seed-batches.ts'
import type { World, WorldProperty, WorldTenant } from '../../world/world.ts'
import {
  type FreeNights,
  selectFreeNights,
  selectRecentSales,
  toFreeNights,
} from '../inventory/module.ts'
import { seedAvailability } from './availability-sql.ts'
import { lockProperties } from './change-sql.ts'
import { cheapestInWorld, documentOfWorld } from './document-of-world.ts'
import type { RoomTypeNights } from './index/room-nights.ts'
import { seedListings } from './listing-sql.ts'
import { seedPlaces } from './place-sql.ts'
import { placesOfWorld } from './places-of-world.ts'
import { seedPopularity } from './popularity-sql.ts'
import { KNOWN_NIGHTS_MAX } from './projection/refresh-nights.ts'

const BATCH_ROWS = 300

/** After `seedInventory`, without an event per hotel. Idempotent. */
export async function seedSearch(db: Database, world: World): Promise<void> {
  const tenants = new Map(world.tenants.map((tenant) => [tenant.tenantId, tenant]))
  const firstNight = addDays(world.anchorDate, -1)
  await db.query(seedPlaces(placesOfWorld()))
  const booked = await readBookings(db)
  await seedBatches(batchesOf(world.properties, BATCH_ROWS), async (batch) => {
    // Before the transaction, which has a time limit between its statements.
    const listings = seedListings(batch.map((property) => listingOf(property, tenants)))
    const popularity = seedPopularity(batch.map((property) => popularityOf(property, booked)))
    await db.transaction(async (tx) => {
      await tx.query(listings)
      await tx.query(popularity)
      await seedNights(tx, batch, firstNight)
    })
  })
}

/**
 * From the inventory, not from the generated world: bookings may have changed since. Events about
 * these hotels wait in the meantime.
 */
async function seedNights(tx: Tx, batch: readonly WorldProperty[], from: IsoDate): Promise<void> {
  const uuids = batch.map(({ propertyId }) => idToUuid(propertyId)).toSorted()
  await tx.query(lockProperties(uuids))
  const to = addDays(from, KNOWN_NIGHTS_MAX)
  const rows = await tx.query(selectFreeNights(uuids, { from, to }))
  const types = rows.map((row) => toFreeNights(row, from))
  const byHotel = Map.groupBy(types, ({ propertyUuid }) => propertyUuid)
  await tx.query(seedAvailability(from, [...byHotel].map(nightsOf)))
}

function listingOf(property: WorldProperty, tenants: ReadonlyMap<string, WorldTenant>) {
  const tenant = tenants.get(property.tenantId)
  if (tenant === undefined) throw new TypeError('a property of the world has no tenant')
  return {
    propertyUuid: idToUuid(property.propertyId),
    tenantUuid: idToUuid(property.tenantId),
    document: documentOfWorld(property, tenant),
    cheapest: cheapestInWorld(property),
  }
}

/** From the inventory too: seeded bookings and those made since. */
async function readBookings(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(selectRecentSales())
  return new Map(rows.map((row) => [row.property_id, row.sold_at]))
}

function popularityOf(
  { propertyId, popularity }: WorldProperty,
  booked: ReadonlyMap<string, string>,
) {
  const propertyUuid = idToUuid(propertyId)
  return { propertyUuid, popularity, bookedAt: booked.get(propertyUuid) ?? '{}' }
}

function nightsOf([propertyUuid, types]: readonly [string, readonly FreeNights[]]) {
  const roomTypes = types.map(roomTypeNights)
  const width = Math.max(0, ...roomTypes.map(({ roomsLeft }) => roomsLeft.length))
  const sumOf = (count: (type: RoomTypeNights) => number) =>
    roomTypes.reduce((sum, type) => sum + count(type), 0)
  return {
    propertyUuid,
    roomsTotal: sumOf(({ roomsTotal }) => roomsTotal),
    roomsLeft: Array.from({ length: width }, (_, night) =>
      sumOf(({ roomsLeft, roomsTotal }) => roomsLeft[night] ?? roomsTotal),
    ),
    roomTypes,
  }
}

function roomTypeNights({ roomTypeUuid, capacity, roomsLeft }: FreeNights): RoomTypeNights {
  return { roomTypeId: uuidToId('rmt', roomTypeUuid), roomsTotal: capacity, roomsLeft }
}
