import type { App } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { GuestSessionVM, viewOf } from '../../sessions/guest-session.ts'
import { greetGuest } from '../greet-guest.ts'
import type { Hooks } from './index.ts'

const schema = { response: { 200: GuestSessionVM } }

/** Asking for a session begins none: that is what the POST is for. */
export function getSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.session.read' }
  app.get('/bff/consumer/v1/session', { config, schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const guest = session.requireSession(request)
    greetGuest(ctx, reply, guest)
    return viewOf(guest)
  })
}
