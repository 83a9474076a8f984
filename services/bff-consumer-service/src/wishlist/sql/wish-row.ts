import { type PropertyId, type TenantId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { Wish, WishSource } from '../wish.ts'

export interface WishRow {
  readonly wishlist_id: string
  readonly property_id: string
  readonly target_tenant_id: string
  readonly added_at: Date
  readonly source: WishSource
  readonly note: string | null
}

export function toWish(row: WishRow): Wish {
  const propertyId: PropertyId = uuidToId('ppt', row.property_id)
  const tenantId: TenantId = uuidToId('tnt', row.target_tenant_id)
  return {
    wishlistId: uuidToId('wsh', row.wishlist_id),
    propertyId,
    tenantId,
    addedAt: toIsoDateTime(row.added_at),
    source: row.source,
    ...(row.note !== null && { note: row.note }),
  }
}
