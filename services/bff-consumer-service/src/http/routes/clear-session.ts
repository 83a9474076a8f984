import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { purgeSession } from '../../sessions/purge-session.ts'
import { clearSessionCookie } from '../session-cookie.ts'
import type { Hooks } from './index.ts'

const schema = {
  body: Type.Union([Type.Null(), Type.Object({})]),
  response: { 204: Type.Null() },
}

/**
 * Forgets the guest. Asked again there is nothing left to forget and the answer is the same, so
 * that it needs no key, and a key of hers would outlive her.
 */
export function clearSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.session.clear' }
  app.post('/bff/consumer/v1/session/clear', { config, schema }, async (request, reply) => {
    const lookup = session.lookupOf(request)
    // Nobody can tell whether there is one, so nobody can say that it is gone (D22).
    if (lookup.kind === 'unavailable') throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    if (lookup.kind === 'found') await purgeSession(ctx, lookup.session.id)
    clearSessionCookie(reply)
    return reply.code(204).header('cache-control', 'no-store').send(null)
  })
}
