import type { ConsumerContext } from '../context.ts'
import { sessionStarted } from '../events/session-events.ts'
import type { DeviceClass } from '../sessions/class-of-device.ts'
import { report, type Witnessed } from './report.ts'

export interface StartedSession extends Witnessed {
  readonly deviceClass: DeviceClass | undefined
}

export function reportSession(ctx: ConsumerContext, started: StartedSession): void {
  const { session, visit, deviceClass } = started
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
      ...(deviceClass && { deviceClass }),
      consentMarketing: data.flags.consentMarketing,
      startedAt: data.createdAt,
    }),
  })
}
