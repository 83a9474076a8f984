import type { Session } from '@melmastoon/chassis/sessions'
import { problem, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { captureCampaign } from './capture-campaign.ts'
import { choosePreferences, type PreferenceSources } from './choose-preferences.ts'
import type { GuestSession } from './guest-session.ts'
import type { Consent } from './new-guest-session.ts'
import type { Visit } from './visit.ts'

export interface Adjustment {
  readonly said: PreferenceSources['said']
  readonly consent: Consent | undefined
  readonly visit: Visit
}

/**
 * Takes over what a known guest says now, and the last campaign. What she does not say stays as the
 * store has it at that moment, which may be newer than what this request has read.
 */
export async function adjustSession(
  ctx: ConsumerContext,
  { id }: Session<GuestSession>,
  { said, consent, visit }: Adjustment,
): Promise<Session<GuestSession>> {
  const now = ctx.clock.now()
  const campaign = captureCampaign(visit.campaign, now)
  const adjusted = await ctx.sessions.update(id, (data) => {
    const { locale, currency } = choosePreferences({ said, visit, kept: data })
    return {
      ...data,
      lastSeenAt: toIsoDateTime(now),
      localePreference: locale,
      currencyPreference: currency,
      ...(campaign && { campaignAttribution: campaign }),
      flags: adjustFlags(data.flags, visit, consent),
    }
  })
  if (adjusted === null) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  return adjusted
}

function adjustFlags(
  flags: GuestSession['flags'],
  { declinesTelemetry }: Visit,
  consent: Consent = {},
): GuestSession['flags'] {
  const wished = consent.telemetry ?? flags.consentTelemetry
  return {
    consentTelemetry: wished && !declinesTelemetry,
    consentMarketing: consent.marketing ?? flags.consentMarketing,
  }
}
