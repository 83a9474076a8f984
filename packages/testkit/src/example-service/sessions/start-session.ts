import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import type { GuestSession } from './guest-session.ts'
import { reportStart } from './report-start.ts'

/** The locale is a choice, so the session is stored. Its start is sampled telemetry. */
export async function startSession(ctx: ExampleContext, data: GuestSession, cause: EventContext) {
  const { session: started, cookieValue } = ctx.sessions.start(data)
  const session = await ctx.sessions.store(started)
  reportStart(ctx, session, { ...cause, sessionId: session.id })
  return { session, cookieValue }
}
