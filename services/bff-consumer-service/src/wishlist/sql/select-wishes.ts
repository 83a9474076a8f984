import { type Statement, sql } from '@melmastoon/chassis/db'
import { type GuestSessionId, idToUuid } from '@melmastoon/domain'
import type { WishRow } from './wish-row.ts'

/** Oldest first. */
export function selectWishes(guestSessionId: GuestSessionId): Statement<WishRow> {
  return sql<WishRow>`
    select wishlist_id, property_id, target_tenant_id, added_at, source, note
    from wishlist_anonymous where guest_session_id = ${idToUuid(guestSessionId)}::uuid
    order by added_at, wishlist_id`
}
