import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { batchesOf, seedBatches } from '../../seed-batches.ts'
import type { World, WorldStay } from '../../world/world.ts'
import { selectAllocationIds } from '../inventory/module.ts'
import { codeOfUuid } from './reservation-code.ts'
import { advanceReservations, type SeededStay, seedReservations } from './seed-sql.ts'

const ROWS_MAX = 2_000

/**
 * After `seedInventory`: reservations of all stays that got rooms there, and status changes of
 * existing ones. Idempotent, also with the world of a later day.
 */
export async function seedReservation(db: Database, world: World): Promise<void> {
  await seedBatches(batchesOf(world.stays, ROWS_MAX), async (batch) => {
    const stays = batch.map(toSeeded)
    const statement = selectAllocationIds(
      stays.map((stay) => stay.tenant_id),
      stays.map((stay) => stay.reservation_id),
    )
    const allocated = new Set((await db.query(statement)).map((row) => row.allocation_id))
    const fitting = stays.filter((stay) => allocated.has(stay.reservation_id))
    const added = new Set(
      (await db.query(seedReservations(fitting))).map((row) => row.reservation_id),
    )
    const known = stays.filter((stay) => !added.has(stay.reservation_id))
    if (known.length > 0) await db.query(advanceReservations(agedColumns(known)))
  })
}

function agedColumns(stays: readonly SeededStay[]) {
  return {
    tenants: stays.map((stay) => stay.tenant_id),
    reservations: stays.map((stay) => stay.reservation_id),
    statuses: stays.map((stay) => stay.status),
  }
}

function toSeeded(stay: WorldStay): SeededStay {
  const reservation = idToUuid(stay.reservationId)
  return {
    tenant_id: idToUuid(stay.tenantId),
    reservation_id: reservation,
    code: codeOfUuid(reservation),
    property_id: idToUuid(stay.propertyId),
    status: stay.status,
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    booked_at: stay.bookedAt,
    items: [{ roomTypeId: stay.roomTypeId, rooms: stay.rooms }],
    total_micro: String(stay.totalMicro),
    currency: stay.currency,
    guest_locale: stay.guestLocale,
    guest_name: stay.guestName,
    adults: stay.adults,
    children: stay.children,
    arrival_time: stay.arrivalTime,
    special_requests: stay.specialRequests,
  }
}
