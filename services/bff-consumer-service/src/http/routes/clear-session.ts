import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { clearSession } from '../../sessions/clear-session.ts'
import { clearGuestCookie } from '../request-guest.ts'
import type { Hooks } from './index.ts'

/** The data is in three stores, deleted before and after the session is cleared. */
const DEADLINE_MS = 5_000
const schema = {
  body: Type.Union([Type.Null(), Type.Object({})], {
    title: 'ClearSessionRequest',
    description: 'No body, or an empty object',
  }),
  response: { 204: Type.Null() },
}

/**
 * Deletes the session and all of its data. Repeating it has the same result, so it needs no
 * idempotency key, and a stored key would outlive the session.
 */
export function clearSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.session.clear', deadlineMs: DEADLINE_MS }
  app.post('/bff/consumer/v1/session/clear', { config, schema }, async (request, reply) => {
    const lookup = session.lookupOf(request)
    // It cannot be cleared now, so the response must not claim that it was (D22).
    if (lookup.kind === 'unavailable') throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    if (lookup.kind === 'found') await clearSession(ctx, lookup.session.id, request.deadline)
    clearGuestCookie(reply)
    return reply.code(204).header('cache-control', 'no-store').send(null)
  })
}
