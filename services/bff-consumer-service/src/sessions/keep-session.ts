import type { Session } from '@melmastoon/chassis/sessions'
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
export function keepSession(ctx: ConsumerContext, session: Session<GuestSession>): Kept {
  const { lastSeenAt } = session.data
  const nowMs = ctx.clock.nowMs()
  if (nowMs - Date.parse(lastSeenAt) < SEEN_EVERY_MS) return UNCHANGED
  keepWishlist(ctx, session)
  const now = toIsoDateTime(new Date(nowMs))
  ctx.background.run(`seen ${session.id}`, () =>
    ctx.sessions.update(session.id, (data) =>
      data.lastSeenAt < now ? { ...data, lastSeenAt: now } : data,
    ),
  )
  return lastSeenAt.slice(0, 10) === now.slice(0, 10) ? UNCHANGED : RENEWED
}
