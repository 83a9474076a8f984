import type { EventContext } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'
import type { CampaignAttribution, GuestSession } from '../sessions/guest-session.ts'
import type { Subject } from './may-emit.ts'

/** The cause of an event, with whose session it was and which campaign brought her. */
export function guestCause(
  ctx: ConsumerContext,
  subject: Subject,
  { cause, session }: { cause: EventContext; session: GuestSession },
): EventContext {
  const { campaignAttribution } = session.data
  return {
    ...cause,
    sessionId: session.id,
    samplingRate: ctx.registry.sampleRate(subject, ctx.flags.sampleRates()),
    marketingAttribution: campaignAttribution === undefined ? null : named(campaignAttribution),
  }
}

/** When it was captured is the session's own business. */
function named({ capturedAt: _when, ...names }: CampaignAttribution) {
  return names
}
