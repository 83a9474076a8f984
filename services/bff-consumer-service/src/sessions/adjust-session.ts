import type { Session } from '@melmastoon/chassis/sessions'
import { type CurrencyCode, type Locale, problem, toIsoDateTime } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import type { GuestSession } from './guest-session.ts'
import type { Consent } from './new-guest-session.ts'

export interface Adjustment {
  readonly locale?: Locale | undefined
  readonly currency?: CurrencyCode | undefined
  readonly consent?: Consent | undefined
  readonly declinesTelemetry: boolean
}

/** Takes over what a known guest says now; what she does not say stays. */
export async function adjustSession(
  ctx: ConsumerContext,
  { id }: Session<GuestSession>,
  adjustment: Adjustment,
): Promise<Session<GuestSession>> {
  const lastSeenAt = toIsoDateTime(ctx.clock.now())
  const adjusted = await ctx.sessions.update(id, (data) => ({
    ...data,
    lastSeenAt,
    localePreference: adjustment.locale ?? data.localePreference,
    currencyPreference: adjustment.currency ?? data.currencyPreference,
    flags: adjustFlags(data.flags, adjustment),
  }))
  if (adjusted === null) throw problem('MELMASTOON.SESSION.COOKIE_INVALID')
  return adjusted
}

function adjustFlags(
  flags: GuestSession['flags'],
  { consent = {}, declinesTelemetry }: Adjustment,
): GuestSession['flags'] {
  const wished = consent.telemetry ?? flags.consentTelemetry
  return {
    consentTelemetry: wished && !declinesTelemetry,
    consentMarketing: consent.marketing ?? flags.consentMarketing,
  }
}
