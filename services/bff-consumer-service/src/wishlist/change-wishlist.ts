import type { TimeLimit } from '@melmastoon/chassis/clock'
import type { KeyedMutex } from '@melmastoon/chassis/concurrency'
import type { Database, Tx } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { GuestSession } from '../sessions/guest-session.ts'
import { type SyncDeps, syncWishlist } from './sync-wishlist.ts'
import { lockWishlist } from './wishlist-sql.ts'

export interface ChangedWishlist<T> {
  readonly result: T
  /** The session was cleared meanwhile. */
  readonly isOrphan: boolean
}

export interface ChangeWishlistDeps extends SyncDeps {
  readonly db: Pick<Database, 'query' | 'transaction'>
  readonly wishlistMutex: Pick<KeyedMutex, 'runExclusive'>
  readonly errors: ErrorReporter
}

/**
 * The database decides, one change of a guest's wishlist at a time; the session is updated after
 * the commit. If that fails, the next read of wishlist or session repairs it. The mutex limits a
 * guest with many concurrent requests to one database connection of this process.
 */
export async function changeWishlist<T>(
  deps: ChangeWishlistDeps,
  { session, deadline }: { session: GuestSession; deadline: TimeLimit },
  change: (tx: Tx) => Promise<T>,
): Promise<ChangedWishlist<T>> {
  return await deps.wishlistMutex.runExclusive(session.id, async () => {
    const decide = async (tx: Tx) => {
      await tx.query(lockWishlist(session.id))
      return await change(tx)
    }
    const result = await deps.db.transaction(decide, { deadline })
    crashPoint('wishlist.after_commit')
    return { result, isOrphan: await updateSession(deps, session, deadline) }
  })
}

async function updateSession(
  deps: ChangeWishlistDeps,
  session: GuestSession,
  deadline: TimeLimit,
): Promise<boolean> {
  try {
    return (await syncWishlist(deps, session, deadline)) === null
  } catch (error) {
    deps.errors.report('wishlist', error)
    return false
  }
}
