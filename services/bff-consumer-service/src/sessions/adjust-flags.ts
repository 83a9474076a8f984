import type { GuestSessionData } from './guest-session.ts'
import type { Consent } from './new-guest-session.ts'
import type { Visit } from './visit.ts'

/** What is not said stays; a browser that declines is not overruled (D13). */
export function adjustFlags(
  flags: GuestSessionData['flags'],
  { declinesTelemetry }: Pick<Visit, 'declinesTelemetry'>,
  consent: Consent = {},
): GuestSessionData['flags'] {
  const wished = consent.telemetry ?? flags.consentTelemetry
  return {
    consentTelemetry: wished && !declinesTelemetry,
    consentMarketing: consent.marketing ?? flags.consentMarketing,
  }
}
