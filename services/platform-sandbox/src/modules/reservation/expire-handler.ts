import { idToUuid, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { HoldsExpiredHandler } from '../inventory/module.ts'
import { holdExpiredEvent } from './reservation-events.ts'
import { expireReservations } from './reservation-sql.ts'

/** Expires the reservations of the expired holds, in the same transaction. */
export const onHoldsExpired: HoldsExpiredHandler = async (tx, expired, causeOf) => {
  if (expired.length === 0) return []
  const tenants = expired.map(({ tenantId }) => idToUuid(tenantId))
  const allocations = expired.map(({ allocationId }) => idToUuid(allocationId))
  const rows = await tx.query(expireReservations(tenants, allocations))
  return rows.map((row) => {
    const tenantId = uuidToId('tnt', row.tenant_id)
    const reservation = {
      tenantId,
      propertyId: uuidToId('ppt', row.property_id),
      reservationId: uuidToId('rsv', row.reservation_id),
    }
    return holdExpiredEvent(reservation, toIsoDateTime(row.at), causeOf(tenantId))
  })
}
