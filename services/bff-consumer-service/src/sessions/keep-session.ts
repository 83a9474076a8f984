import { toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { keepWishlist } from '../wishlist/keep-wishlist.ts'
import type { GuestSession } from './guest-session.ts'

/** How exact `lastSeenAt` is; more would be a write for every page. */
const SEEN_EVERY_MS = 60_000

export interface Kept {
  /** The first visit of a day moves the end of the cookie's thirty days, too. */
  readonly renewsCookie: boolean
}

const UNCHANGED: Kept = { renewsCookie: false }
const RENEWED: Kept = { renewsCookie: true }

/** Notes that a guest was here, behind her back. */
export function keepSession(ctx: ConsumerContext, session: GuestSession): Kept {
  const { lastSeenAt } = session.data
  const nowMs = ctx.clock.nowMs()
  if (nowMs - Date.parse(lastSeenAt) < SEEN_EVERY_MS) return UNCHANGED
  const now = toIsoDateTime(new Date(nowMs))
  const isSameDay = lastSeenAt.slice(0, 10) === now.slice(0, 10)
  // A session without content is stored on another day only, so that its life can be extended.
  if (session.version === 0 && isSameDay) return UNCHANGED
  keepWishlist(ctx, session)
  ctx.background.run(`seen ${session.id}`, () =>
    ctx.sessions.update(session, (data) =>
      data.lastSeenAt < now ? { ...data, lastSeenAt: now } : data,
    ),
  )
  return isSameDay ? UNCHANGED : RENEWED
}

/**
 * Stores a session without content, after the response: what is reported about a handoff later
 * needs the consent and the attribution of the session.
 */
export function storeSession(ctx: ConsumerContext, session: GuestSession): void {
  if (session.version > 0) return
  ctx.background.run(`store ${session.id}`, () =>
    ctx.sessions.update(session, (data) => ({ ...data })),
  )
}
