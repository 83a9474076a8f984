import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import type { BookingSession, BookingSessions } from '../sessions/booking-session.ts'
import type { HandoffPayload } from './handoff-payload.ts'

export interface CampaignDeps {
  readonly background: Pick<BackgroundWork, 'run'>
  readonly sessions: Pick<BookingSessions, 'update'>
}

/** The campaign that brought the guest to the platform is credited with what they do here. */
export function adoptCampaign(
  deps: CampaignDeps,
  session: BookingSession,
  { campaign }: HandoffPayload,
): void {
  if (campaign === null) return
  deps.background.run(`campaign ${session.id}`, () =>
    deps.sessions.update(session, (data) => ({ ...data, marketingAttribution: campaign })),
  )
}
