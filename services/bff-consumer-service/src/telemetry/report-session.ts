import type { Session } from '@melmastoon/chassis/sessions'
import type { EventContext } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'
import { sessionStarted } from '../events/session-events.ts'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { Visit } from '../sessions/visit.ts'
import { emitEvent } from './emit-event.ts'
import { guestCause } from './guest-cause.ts'
import { mayEmit } from './may-emit.ts'

const { subject } = sessionStarted

export interface StartedSession {
  readonly session: Session<GuestSession>
  readonly visit: Visit
  readonly cause: EventContext
}

export function reportSession(ctx: ConsumerContext, started: StartedSession): void {
  const { session, visit } = started
  if (!mayEmit(ctx, subject, started)) return
  const { data } = session
  const payload = {
    guestSessionId: session.id,
    locale: data.localePreference,
    currency: data.currencyPreference,
    ipHash: ctx.hashes.hashAddress(visit.address),
    userAgentHash: ctx.hashes.hash(visit.userAgent),
    fingerprintHash: data.cookieFingerprintHash,
    consentMarketing: data.flags.consentMarketing,
    startedAt: data.createdAt,
  }
  emitEvent(ctx, () => ctx.registry.build(subject, payload, guestCause(ctx, subject, started)))
}
