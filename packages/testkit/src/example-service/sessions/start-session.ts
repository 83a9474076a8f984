import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import type { GuestSession } from './guest-session.ts'
import { reportStart } from './report-start.ts'

/** A session exists from now on; that it does is telemetry, and may be sampled away. */
export async function startSession(ctx: ExampleContext, data: GuestSession, cause: EventContext) {
  const started = await ctx.sessions.create(data)
  reportStart(ctx, started.session, { ...cause, sessionId: started.session.id })
  return started
}
