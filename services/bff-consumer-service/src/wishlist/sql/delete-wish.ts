import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { WishKey } from '../wish.ts'
import type { WishRow } from './wish-row.ts'

/** For good. An answer that told of it may be repeated for a day, with its note (D8). */
export function deleteWish(key: WishKey): Statement<WishRow> {
  return sql<WishRow>`
    delete from wishlist_anonymous
    where guest_session_id = ${idToUuid(key.guestSessionId)}::uuid
      and property_id = ${idToUuid(key.propertyId)}::uuid
    returning wishlist_id, property_id, target_tenant_id, added_at, source, note`
}
