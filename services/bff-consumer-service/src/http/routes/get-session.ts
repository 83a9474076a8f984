import type { App } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { GuestSessionVM, viewOf } from '../../sessions/guest-session.ts'
import { withCurrentWishes } from '../../wishlist/read-wishes.ts'
import { renewCookieIfDue } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const schema = { response: { 200: GuestSessionVM } }

/** Reading starts no session: that is what the POST is for. */
export function getSessionRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.session.read', deadlineMs: DEADLINE_MS }
  app.get('/bff/consumer/v1/session', { config, schema }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const guest = session.requireSession(request)
    renewCookieIfDue(ctx, reply, guest)
    return viewOf(await withCurrentWishes(ctx, guest, request.deadline))
  })
}
