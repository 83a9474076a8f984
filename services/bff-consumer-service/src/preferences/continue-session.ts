import { captureCampaign } from '@melmastoon/bff/guests'
import type { PreferenceSources } from '@melmastoon/bff/preferences'
import { type ChangeSessionDeps, changeFlags, changeSession } from '../sessions/change-session.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import { guestPreferences } from '../sessions/guest-preferences.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { Consent } from '../sessions/new-guest-session.ts'
import type { ReportDeps } from '../telemetry/report.ts'
import { preferenceEvents } from './preference-events.ts'

export interface ContinuedSession extends GuestActor {
  readonly body: PreferenceSources['body']
  readonly consent: Consent | undefined
}

/**
 * Stores what a known guest chooses now, and the last campaign. What the request does not mention
 * stays as it is stored at that moment, which may be newer than what the request has read.
 */
export async function continueSession(
  deps: ChangeSessionDeps & ReportDeps,
  { session: known, body, consent, client, cause }: ContinuedSession,
): Promise<GuestSession> {
  const campaign = captureCampaign(client.campaign, deps.clock.now())
  const hasChosen = (body.locale ?? body.currency ?? consent ?? campaign) !== undefined
  const isStored = known.version > 0 || hasChosen || client.declinesTelemetry
  // `X-Currency` applies to one request, what is stored here to all of them.
  const lasting = { ...client, currency: undefined }
  const { before, session } = await changeSession(deps, known, (data) => {
    if (!isStored) return data
    const { locale, currency } = guestPreferences.choose({ body, client: lasting, stored: data })
    return {
      ...data,
      localePreference: locale,
      currencyPreference: currency,
      ...(campaign && { campaignAttribution: campaign }),
      flags: changeFlags(data.flags, client, consent),
    }
  })
  const events = preferenceEvents(deps, before, { session, client, cause })
  deps.guestQueue.runNowOrQueue(session.id, () => {
    for (const event of events) deps.telemetry.add(event)
  })
  return session
}
