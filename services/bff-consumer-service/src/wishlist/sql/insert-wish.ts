import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { NewWish } from '../wish.ts'
import type { WishRow } from './wish-row.ts'

/** The moment is this one, not the transaction's beginning: it may have waited for its turn. */
export function insertWish(wish: NewWish): Statement<WishRow> {
  return sql<WishRow>`
    insert into wishlist_anonymous (wishlist_id, guest_session_id, property_id, target_tenant_id,
      added_at, source, note)
    values (${idToUuid(wish.wishlistId)}::uuid, ${idToUuid(wish.guestSessionId)}::uuid,
      ${idToUuid(wish.propertyId)}::uuid, ${idToUuid(wish.tenantId)}::uuid,
      clock_timestamp(), ${wish.source}, ${wish.note ?? null})
    returning wishlist_id, property_id, target_tenant_id, added_at, source, note`
}
