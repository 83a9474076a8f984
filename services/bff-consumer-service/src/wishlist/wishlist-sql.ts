import { type Statement, sql } from '@melmastoon/chassis/db'
import {
  type GuestSessionId,
  idToUuid,
  type PropertyId,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { NewWish, Wish, WishKey, WishSource } from './wish.ts'

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

/**
 * One change of a guest's wishlist at a time, across processes. A separate first statement: one
 * that waits for a lock decides on the snapshot from before it waited.
 */
export function lockWishlist(guestSessionId: GuestSessionId): Statement<unknown> {
  const guest = idToUuid(guestSessionId)
  return sql`select pg_advisory_xact_lock(hashtextextended('wishlist:' || ${guest}::text, 0))`
}

/** Oldest first. */
export function selectWishes(guestSessionId: GuestSessionId): Statement<WishRow> {
  return sql<WishRow>`
    select wishlist_id, property_id, target_tenant_id, added_at, source, note
    from wishlist_anonymous where guest_session_id = ${idToUuid(guestSessionId)}::uuid
    order by added_at, wishlist_id`
}

/** Always one row: the wish, if there is one, and the size of the wishlist. */
export function findWish(key: WishKey): Statement<Partial<WishRow> & { size: number }> {
  return sql<Partial<WishRow> & { size: number }>`
    with wishes as (
      select * from wishlist_anonymous
      where guest_session_id = ${idToUuid(key.guestSessionId)}::uuid
    )
    select w.wishlist_id, w.property_id, w.target_tenant_id, w.added_at, w.source, w.note,
      (select count(*)::int from wishes) as size
    from (values (${idToUuid(key.propertyId)}::uuid)) as wanted (property_id)
    left join wishes w using (property_id)`
}

/** The current time, not the start of the transaction, which may have waited for the lock. */
export function insertWish(wish: NewWish): Statement<WishRow> {
  return sql<WishRow>`
    insert into wishlist_anonymous (wishlist_id, guest_session_id, property_id, target_tenant_id,
      added_at, source, note)
    values (${idToUuid(wish.wishlistId)}::uuid, ${idToUuid(wish.guestSessionId)}::uuid,
      ${idToUuid(wish.propertyId)}::uuid, ${idToUuid(wish.tenantId)}::uuid,
      clock_timestamp(), ${wish.source}, ${wish.note ?? null})
    returning wishlist_id, property_id, target_tenant_id, added_at, source, note`
}

export function changeNote(key: WishKey, note: string | null): Statement<WishRow> {
  return sql<WishRow>`
    update wishlist_anonymous set note = ${note}
    where guest_session_id = ${idToUuid(key.guestSessionId)}::uuid
      and property_id = ${idToUuid(key.propertyId)}::uuid
    returning wishlist_id, property_id, target_tenant_id, added_at, source, note`
}

/** A stored response that contains the note may be replayed for a day (D8). */
export function deleteWish(key: WishKey): Statement<WishRow> {
  return sql<WishRow>`
    delete from wishlist_anonymous
    where guest_session_id = ${idToUuid(key.guestSessionId)}::uuid
      and property_id = ${idToUuid(key.propertyId)}::uuid
    returning wishlist_id, property_id, target_tenant_id, added_at, source, note`
}

/** All wishes of a guest. */
export function deleteWishlist(guestSessionId: GuestSessionId): Statement<unknown> {
  return sql`
    delete from wishlist_anonymous where guest_session_id = ${idToUuid(guestSessionId)}::uuid`
}

/** The guest was seen, which extends the life of the wishes. */
export function touchWishlist(guestSessionId: GuestSessionId): Statement<unknown> {
  return sql`
    update wishlist_anonymous set session_seen_at = now()
    where guest_session_id = ${idToUuid(guestSessionId)}::uuid
      and session_seen_at < now() - interval '1 hour'`
}

/**
 * Entries of sessions that have ended. A session lives thirty days after it was last seen, which
 * is recorded once a day: hence one more day.
 */
export function pruneWishlists(limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`
    with old as (
      select wishlist_id from wishlist_anonymous
      where session_seen_at < now() - interval '31 days'
      order by session_seen_at limit ${limit}::int
    ), gone as (
      delete from wishlist_anonymous w using old
      where w.wishlist_id = old.wishlist_id and w.session_seen_at < now() - interval '31 days'
      returning 1
    )
    select count(*)::int as pruned from gone`
}
