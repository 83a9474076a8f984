import type { Database } from '@melmastoon/chassis/db'
import { addDays, idToUuid, type PropertyId } from '@melmastoon/domain'
import type { World, WorldProperty, WorldStay, WorldTenant } from '../../world/world.ts'
import { cheapestInWorld, documentOfWorld } from './document-of-world.ts'
import { toEpochDay } from './index/epoch-day.ts'
import { placesOf } from './places-of-world.ts'
import { seedAvailability } from './sql/seed-availability.ts'
import { seedListings } from './sql/seed-listings.ts'
import { seedPlaces } from './sql/seed-places.ts'
import { seedPopularity } from './sql/seed-popularity.ts'

const BATCH_ROWS = 600
/** A year ahead, the longest calendar, and the day before today. */
const NIGHTS = 366 + 92

/** Straight from the world, without an event per hotel. Bears repetition. */
export async function seedSearch(db: Database, world: World): Promise<void> {
  const tenants = new Map(world.tenants.map((tenant) => [tenant.tenantId, tenant]))
  const stays = Map.groupBy(world.stays, ({ propertyId }) => propertyId)
  await db.query(seedPlaces(placesOf(world.properties)))
  for (let from = 0; from < world.properties.length; from += BATCH_ROWS) {
    const batch = world.properties.slice(from, from + BATCH_ROWS)
    await db.transaction(async (tx) => {
      await tx.query(seedListings(batch.map((property) => listingOf(property, tenants))))
      await tx.query(seedPopularity(batch.map(popularityOf)))
      const firstNight = addDays(world.anchorDate, -1)
      const nights = batch.map((property) => nightsOf(property, stays, toEpochDay(firstNight)))
      await tx.query(seedAvailability(firstNight, nights))
    })
  }
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

function popularityOf({ propertyId, popularity }: WorldProperty) {
  return { propertyUuid: idToUuid(propertyId), popularity }
}

function nightsOf(
  { propertyId, roomTypes }: WorldProperty,
  stays: ReadonlyMap<PropertyId, readonly WorldStay[]>,
  firstDay: number,
) {
  const roomsTotal = roomTypes.reduce((sum, { rooms }) => sum + rooms.length, 0)
  const roomsLeft = Array.from({ length: NIGHTS }, () => roomsTotal)
  for (const { checkIn, checkOut, rooms, status } of stays.get(propertyId) ?? []) {
    if (status === 'cancelled') continue
    const end = Math.min(NIGHTS, toEpochDay(checkOut) - firstDay)
    for (let night = Math.max(0, toEpochDay(checkIn) - firstDay); night < end; night += 1) {
      roomsLeft[night] = Math.max(0, (roomsLeft[night] ?? 0) - rooms)
    }
  }
  return { propertyUuid: idToUuid(propertyId), roomsLeft, roomsTotal }
}
