import { type Statement, sql } from '@melmastoon/chassis/db'

/**
 * Entries of sessions that have ended. A session lives thirty days after it was last seen, which
 * is noted once a day: hence a day more.
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
