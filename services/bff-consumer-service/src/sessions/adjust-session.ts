import type { Session } from '@melmastoon/chassis/sessions'
import { type CurrencyCode, type Locale, problem, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { captureCampaign } from './capture-campaign.ts'
import type { GuestSession } from './guest-session.ts'
import type { Consent } from './new-guest-session.ts'
import type { Visit } from './visit.ts'

export interface Adjustment {
  readonly locale?: Locale | undefined
  readonly currency?: CurrencyCode | undefined
  readonly consent?: Consent | undefined
  readonly visit: Visit
}

/** Takes over what a known guest says now, and the last campaign; what she does not say stays. */
export async function adjustSession(
  ctx: ConsumerContext,
  { id }: Session<GuestSession>,
  adjustment: Adjustment,
): Promise<Session<GuestSession>> {
  const now = ctx.clock.now()
  const lastSeenAt = toIsoDateTime(now)
  const campaign = captureCampaign(adjustment.visit.campaign, now)
  const adjusted = await ctx.sessions.update(id, (data) => ({
    ...data,
    lastSeenAt,
    localePreference: adjustment.locale ?? data.localePreference,
    currencyPreference: adjustment.currency ?? data.currencyPreference,
    ...(campaign && { campaignAttribution: campaign }),
    flags: adjustFlags(data.flags, adjustment),
  }))
  if (adjusted === null) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  return adjusted
}

function adjustFlags(
  flags: GuestSession['flags'],
  { consent = {}, visit }: Adjustment,
): GuestSession['flags'] {
  const wished = consent.telemetry ?? flags.consentTelemetry
  return {
    consentTelemetry: wished && !visit.declinesTelemetry,
    consentMarketing: consent.marketing ?? flags.consentMarketing,
  }
}
