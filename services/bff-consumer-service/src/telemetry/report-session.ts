import type { KeyedHash } from '@melmastoon/security'
import { sessionStarted } from '../events/session-events.ts'
import type { StartedGuest } from '../sessions/session-observers.ts'
import { type ReportDeps, report } from './report.ts'

export function reportSession(
  deps: ReportDeps & { readonly hashes: KeyedHash },
  started: StartedGuest,
): void {
  const { session, client, deviceClass } = started
  const { data } = session
  report(deps, sessionStarted, {
    ...started,
    payload: () => ({
      guestSessionId: session.id,
      locale: data.localePreference,
      currency: data.currencyPreference,
      ipHash: deps.hashes.hashAddress(client.address),
      userAgentHash: deps.hashes.hash(client.userAgent),
      fingerprintHash: data.cookieFingerprintHash,
      ...(deviceClass && { deviceClass }),
      consentMarketing: data.flags.consentMarketing,
      startedAt: data.createdAt,
    }),
  })
}
