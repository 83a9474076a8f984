import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { silenceGuest } from '../telemetry/silence-guest.ts'
import { keepWishlist } from '../wishlist/keep-wishlist.ts'
import type { GuestSession, GuestSessionData } from './guest-session.ts'

export interface ChangedSession {
  /** What the change was made to; it may be newer than what the request had read. */
  readonly before: GuestSessionData
  readonly session: GuestSession
}

/** A guest changes something of her own. @throws Problem when her session has ended meanwhile. */
export async function changeSession(
  ctx: ConsumerContext,
  known: GuestSession,
  change: (data: GuestSessionData) => GuestSessionData,
): Promise<ChangedSession> {
  const lastSeenAt = toIsoDateTime(ctx.clock.now())
  let before: GuestSessionData | undefined
  const session = await ctx.sessions.update(known, (data) => {
    before = data
    const changed = change(data)
    return changed === data ? data : { ...changed, lastSeenAt }
  })
  if (session === null || before === undefined) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  keepWishlist(ctx, { ...session, data: before })
  const isSilent = !session.data.flags.consentTelemetry
  if (isSilent && before.flags.consentTelemetry) silenceGuest(ctx, session.id)
  return { before, session }
}
