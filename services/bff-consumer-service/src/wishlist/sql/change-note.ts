import { type Statement, sql } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import type { WishKey } from '../wish.ts'
import type { WishRow } from './wish-row.ts'

export function changeNote(key: WishKey, note: string | null): Statement<WishRow> {
  return sql<WishRow>`
    update wishlist_anonymous set note = ${note}
    where guest_session_id = ${idToUuid(key.guestSessionId)}::uuid
      and property_id = ${idToUuid(key.propertyId)}::uuid
    returning wishlist_id, property_id, target_tenant_id, added_at, source, note`
}
