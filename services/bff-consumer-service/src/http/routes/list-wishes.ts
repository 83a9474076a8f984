import { readStay, StayQuery } from '@melmastoon/bff/stays'
import { type App, sendPrivateJson } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import { listWishes } from '../../wishlist/list-wishes.ts'
import { WishlistVM } from '../../wishlist/wish.ts'
import { greetGuest } from '../greet-guest.ts'
import { readVisit } from '../read-visit.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const schema = { querystring: StayQuery, response: { 200: WishlistVM } }

/** With a stay the hotels are priced for it. Who has no session has no wishes. */
export function listWishesRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.wishlist.list', deadlineMs: DEADLINE_MS }
  app.get('/bff/consumer/v1/wishlist', { config, schema }, async (request, reply) => {
    const asked = readStay(request.query, ctx.clock.now())
    const lookup = session.lookupOf(request)
    // With Redis unavailable the database is still read: the cookie alone verifies the guest (D25).
    const guest = lookup.kind === 'none' ? undefined : lookup.session
    if (lookup.kind === 'found') greetGuest(ctx, reply, guest)
    const visit = readVisit(request)
    const preferences = choosePreferences({ said: {}, visit, kept: guest?.data })
    const { deadline, trace } = request
    const text = await listWishes(ctx, guest, { ...preferences, ...asked, deadline, trace })
    sendPrivateJson(reply, text)
  })
}
