import type { EventContext } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'
import { preferenceEvents } from '../telemetry/preference-events.ts'
import { adjustFlags } from './adjust-flags.ts'
import { captureCampaign } from './capture-campaign.ts'
import { changeSession } from './change-session.ts'
import { choosePreferences, type PreferenceSources } from './choose-preferences.ts'
import type { GuestSession } from './guest-session.ts'
import type { Consent } from './new-guest-session.ts'
import type { Visit } from './visit.ts'

export interface Adjustment {
  readonly said: PreferenceSources['said']
  readonly consent: Consent | undefined
  readonly visit: Visit
  readonly cause: () => EventContext
}

/**
 * Takes over what a known guest says now, and the last campaign. What she does not say stays as the
 * store has it at that moment, which may be newer than what this request has read.
 */
export async function adjustSession(
  ctx: ConsumerContext,
  known: GuestSession,
  { said, consent, visit, cause }: Adjustment,
): Promise<GuestSession> {
  const campaign = captureCampaign(visit.campaign, ctx.clock.now())
  // `X-Currency` is for one request, and what is kept here is for all of them.
  const words = { ...visit, currency: undefined }
  const hasChosen = (said.locale ?? said.currency ?? consent ?? campaign) !== undefined
  const isStored = known.version > 0 || hasChosen || visit.declinesTelemetry
  const { before, session } = await changeSession(ctx, known, (data) => {
    if (!isStored) return data
    const { locale, currency } = choosePreferences({ said, visit: words, kept: data })
    return {
      ...data,
      localePreference: locale,
      currencyPreference: currency,
      ...(campaign && { campaignAttribution: campaign }),
      flags: adjustFlags(data.flags, visit, consent),
    }
  })
  const events = preferenceEvents(ctx, before, { session, visit, cause })
  ctx.guestQueue.runNowOrQueue(session.id, () => {
    for (const event of events) ctx.telemetry.add(event)
  })
  return session
}
