import type { Section } from '@melmastoon/bff/sections'
import { shareOf, type TimeLimit } from '@melmastoon/chassis/clock'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { type GuestSessionId, isProblem } from '@melmastoon/domain'
import type { GuestSession, WishlistRef } from '../sessions/guest-session.ts'
import { isSame, type SyncDeps, syncWishlist } from './sync-wishlist.ts'
import type { Wish } from './wish.ts'
import { selectWishes, toWish } from './wishlist-sql.ts'

export type KnownWish = WishlistRef & Partial<Pick<Wish, 'source' | 'note'>>

export interface Wishes {
  /** Newest first. */
  readonly list: readonly KnownWish[]
  readonly section: Section
}

/** The rest of the time is for the cards: without Postgres the session still has the wishes. */
const DATABASE_SHARE = 0.4
const FRESH: Section = { status: 'fresh', ageMs: 0 }

export interface ReadWishesDeps extends SyncDeps {
  readonly errors: ErrorReporter
}

/**
 * From the database; while it is unavailable, from the session, which has the hotels but neither
 * notes nor sources. A session that differs from the database missed a change, and is repaired.
 */
export async function readWishes(
  deps: ReadWishesDeps,
  session: GuestSession | undefined,
  deadline: TimeLimit,
): Promise<Wishes> {
  if (session === undefined) return { list: [], section: FRESH }
  const list = await readTable(deps, session.id, deadline)
  if (list === undefined) {
    const section = { status: 'stale', ageMs: 0 } as const
    return { list: session.data.wishlistRefs.toReversed(), section }
  }
  if (!isSame(list, session.data.wishlistRefs)) await repair(deps, session, deadline)
  return { list: list.toReversed(), section: FRESH }
}

async function readTable(
  deps: ReadWishesDeps,
  guestSessionId: GuestSessionId,
  deadline: TimeLimit,
): Promise<Wish[] | undefined> {
  try {
    const limit = shareOf(deadline, DATABASE_SHARE)
    const rows = await deps.db.query(selectWishes(guestSessionId), { deadline: limit })
    return rows.map(toWish)
  } catch (error) {
    if (!isProblem(error)) throw error
    deps.errors.report('wishlist', error)
    return undefined
  }
}

/**
 * The session with the wishes of the database. After a crash between commit and session update they
 * differ until the next read of either.
 */
export async function withCurrentWishes(
  deps: ReadWishesDeps,
  session: GuestSession,
  deadline: TimeLimit,
): Promise<GuestSession> {
  const list = await readTable(deps, session.id, deadline)
  if (list === undefined || isSame(list, session.data.wishlistRefs)) return session
  return (await repair(deps, session, deadline)) ?? session
}

async function repair(
  deps: ReadWishesDeps,
  session: GuestSession,
  deadline: TimeLimit,
): Promise<GuestSession | null> {
  try {
    return await syncWishlist(deps, session, shareOf(deadline, DATABASE_SHARE))
  } catch (error) {
    deps.errors.report('wishlist', error)
    return null
  }
}
