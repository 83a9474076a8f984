import type { Session } from '@melmastoon/chassis/sessions'
import type { ConsumerContext } from '../context.ts'
import type { registry } from '../events/registry.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { Visit } from '../sessions/visit.ts'

export type Subject = (typeof registry)['definitions'][number]['subject']

/** Consent first, of the session and of this very request (D13); then the dice, once per guest. */
export function mayEmit(
  ctx: ConsumerContext,
  subject: Subject,
  { session, visit }: { session: Session<GuestSession>; visit: Visit },
): boolean {
  if (!session.data.flags.consentTelemetry || visit.declinesTelemetry) return false
  return ctx.registry.sampled(subject, ctx.flags.sampleRates(), session.id)
}
