import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { WishKey } from '../wish.ts'
import type { WishRow } from './wish-row.ts'

/** One row always: the wish, if she has it, and how many she has in all. */
export function findWish(key: WishKey): Statement<Partial<WishRow> & { size: number }> {
  return sql<Partial<WishRow> & { size: number }>`
    with hers as (
      select * from wishlist_anonymous
      where guest_session_id = ${idToUuid(key.guestSessionId)}::uuid
    )
    select w.wishlist_id, w.property_id, w.target_tenant_id, w.added_at, w.source, w.note,
      (select count(*)::int from hers) as size
    from (values (${idToUuid(key.propertyId)}::uuid)) as wanted (property_id)
    left join hers w using (property_id)`
}
