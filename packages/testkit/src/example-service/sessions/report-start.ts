import type { Session } from '@melmastoon/chassis/sessions'
import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import { sessionStarted } from '../events.ts'
import type { GuestSession } from './guest-session.ts'

const { subject } = sessionStarted

/** Sampled telemetry, written in batches: it must never slow a guest down. */
export function reportStart(
  ctx: ExampleContext,
  session: Session<GuestSession>,
  cause: EventContext,
): void {
  const { sampleRates } = ctx.flags.current()
  if (!ctx.registry.sampled(subject, sampleRates, session.id)) return
  const payload = {
    sessionId: session.id,
    locale: session.data.locale,
    startedAt: cause.occurredAt.toISOString(),
  }
  const samplingRate = ctx.registry.sampleRate(subject, sampleRates)
  ctx.telemetry.add(ctx.registry.build(subject, payload, { ...cause, samplingRate }))
}
