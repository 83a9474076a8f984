import type { ConsumerContext } from '../context.ts'
import { sessionStarted } from '../events/session-events.ts'
import { report, type Witnessed } from './report.ts'

export function reportSession(ctx: ConsumerContext, started: Witnessed): void {
  const { session, visit } = started
  const { data } = session
  report(ctx, sessionStarted, {
    ...started,
    payload: () => ({
      guestSessionId: session.id,
      locale: data.localePreference,
      currency: data.currencyPreference,
      ipHash: ctx.hashes.hashAddress(visit.address),
      userAgentHash: ctx.hashes.hash(visit.userAgent),
      fingerprintHash: data.cookieFingerprintHash,
      consentMarketing: data.flags.consentMarketing,
      startedAt: data.createdAt,
    }),
  })
}
