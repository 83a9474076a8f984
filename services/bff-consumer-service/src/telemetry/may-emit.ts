import type { ConsumerContext } from '../context.ts'
import type { registry } from '../events/registry.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { Visit } from '../sessions/visit.ts'

export type Subject = (typeof registry)['definitions'][number]['subject']

interface Guest {
  readonly session: GuestSession
  readonly visit: Visit
}

/** Of the session and of this very request (D13). */
export function consents({ session, visit }: Guest): boolean {
  return session.data.flags.consentTelemetry && !visit.declinesTelemetry
}

/** Consent first; then the dice, once per guest. */
export function mayEmit(ctx: ConsumerContext, subject: Subject, guest: Guest): boolean {
  if (!consents(guest)) return false
  const { session } = guest
  return ctx.registry.sampled(subject, ctx.flags.sampleRates(), session.id)
}
