import type { Session } from '@melmastoon/chassis/sessions'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { silenceGuest } from '../telemetry/silence-guest.ts'
import { keepWishlist } from '../wishlist/keep-wishlist.ts'
import type { GuestSession } from './guest-session.ts'

export interface ChangedSession {
  /** What the change was made to; it may be newer than what the request had read. */
  readonly before: GuestSession
  readonly session: Session<GuestSession>
}

/** A guest changes something of her own. @throws Problem when her session has ended meanwhile. */
export async function changeSession(
  ctx: ConsumerContext,
  id: string,
  change: (data: GuestSession) => GuestSession,
): Promise<ChangedSession> {
  const lastSeenAt = toIsoDateTime(ctx.clock.now())
  let before: GuestSession | undefined
  const session = await ctx.sessions.update(id, (data) => {
    before = data
    return { ...change(data), lastSeenAt }
  })
  if (session === null || before === undefined) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  keepWishlist(ctx, { id, data: before })
  const isSilent = !session.data.flags.consentTelemetry
  if (isSilent && before.flags.consentTelemetry) silenceGuest(ctx, id)
  return { before, session }
}
