import type { Database } from '@melmastoon/chassis/db'
import { addDays, idToUuid, type RoomId } from '@melmastoon/domain'
import { LOCK_VENDORS, type LockVendor } from '@melmastoon/upstream-contracts/lock'
import { batchesOf } from '../../seed-batches.ts'
import type { World, WorldProperty, WorldStay } from '../../world/world.ts'
import {
  revokeSeededKeys,
  type SeededKey,
  type SeededProperty,
  seedKeys,
  seedProperties,
} from './seed-sql.ts'
import { VENDORS } from './vendors/vendors.ts'

const ROWS_MAX = 5_000
/** Guests who left earlier had no key when their stay was seeded. */
const LEFT_DAYS = 60

/**
 * The lock system of every property, and the keys of the guests in the house at the detailed
 * hotels. Idempotent, also with the world of a later day.
 */
export async function seedLock(db: Database, world: World): Promise<void> {
  for (const rows of batchesOf(world.properties.map(toProperty), ROWS_MAX))
    await db.query(seedProperties(rows))
  const inHouse = world.stays.filter(({ status }) => status === 'in_house').flatMap(toKey)
  for (const rows of batchesOf(inHouse, ROWS_MAX)) await db.query(seedKeys(rows))
  const since = addDays(world.anchorDate, -LEFT_DAYS)
  const left = world.stays.filter(
    ({ status, checkOut }) => status === 'checked_out' && checkOut >= since,
  )
  for (const stays of batchesOf(left, ROWS_MAX)) {
    const tenants = stays.map(({ tenantId }) => idToUuid(tenantId))
    const reservations = stays.map(({ reservationId }) => idToUuid(reservationId))
    await db.query(revokeSeededKeys(tenants, reservations))
  }
}

/** Neighbours have different vendors; the same property always has the same one. */
function toProperty(property: WorldProperty, index: number): SeededProperty {
  const vendor: LockVendor = LOCK_VENDORS[index % LOCK_VENDORS.length] ?? 'ttlock'
  return {
    tenant_id: idToUuid(property.tenantId),
    property_id: idToUuid(property.propertyId),
    vendor,
    slots_per_room: VENDORS[vendor].profile.slotsPerRoom,
    time_zone: property.timeZone,
    check_in_time: property.checkInTime,
    check_out_time: property.checkOutTime,
  }
}

/** Only the detailed hotels assign rooms. */
function toKey(stay: WorldStay): SeededKey[] {
  const roomId: RoomId | null = stay.roomId
  if (roomId === null) return []
  return [
    {
      tenant_id: idToUuid(stay.tenantId),
      reservation_id: idToUuid(stay.reservationId),
      property_id: idToUuid(stay.propertyId),
      room_id: idToUuid(roomId),
      check_in: stay.checkIn,
      check_out: stay.checkOut,
    },
  ]
}
