import { type IsoDate, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { Allocation, inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { EXTENSIONS_MAX } from './hold-terms.ts'

export type InventoryOperations = typeof inventoryContract.operations

/**
 * Who may change an allocation: the caller that placed it, or only the reservation it belongs to.
 */
export type AllocationOwner = 'caller' | 'reservation'

export interface AllocationRow {
  tenant_id: string
  allocation_id: string
  property_id: string
  reservation_id: string | null
  holder: string
  kept_by: AllocationOwner
  state: Allocation['state']
  check_in: IsoDate
  check_out: IsoDate
  created_at: Date
  expires_at: Date
  extensions: number
  items: { room_type_id: string; rooms: number }[]
}

export function toAllocation(row: AllocationRow): Allocation {
  return {
    allocationId: uuidToId('inv', row.allocation_id),
    tenantId: uuidToId('tnt', row.tenant_id),
    propertyId: uuidToId('ppt', row.property_id),
    ...(row.reservation_id !== null && { reservationId: uuidToId('rsv', row.reservation_id) }),
    holder: row.holder,
    state: row.state,
    stay: { checkIn: row.check_in, checkOut: row.check_out },
    items: row.items.map((item) => ({
      roomTypeId: uuidToId('rmt', item.room_type_id),
      rooms: item.rooms,
    })),
    createdAt: toIsoDateTime(row.created_at),
    expiresAt: toIsoDateTime(row.expires_at),
    extensions: row.extensions,
    extensionsLeft: row.state === 'active' ? EXTENSIONS_MAX - row.extensions : 0,
  }
}
