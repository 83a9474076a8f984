import type { Session } from '@melmastoon/chassis/sessions'
import type { EventContext } from '@melmastoon/events'
import type { GuestSession } from '../sessions/guest-session.ts'

/** The cause of an event, with whose session it was and which campaign brought her. */
export function guestCause(
  cause: EventContext,
  { id, data }: Session<GuestSession>,
  samplingRate: number,
): EventContext {
  const { source, medium, campaign } = data.campaignAttribution ?? {}
  const isAttributed = data.campaignAttribution !== undefined
  return {
    ...cause,
    sessionId: id,
    samplingRate,
    marketingAttribution: isAttributed
      ? {
          ...(source !== undefined && { source }),
          ...(medium !== undefined && { medium }),
          ...(campaign !== undefined && { campaign }),
        }
      : null,
  }
}
