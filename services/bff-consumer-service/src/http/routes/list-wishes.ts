import { readClientInfo } from '@melmastoon/bff/guests'
import { readStay, StayQuery } from '@melmastoon/bff/stays'
import { type App, addHeader, sendPrivateJson } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { listWishes } from '../../wishlist/list-wishes.ts'
import { WishlistVM } from '../../wishlist/wish.ts'
import { PREFERENCE_QUERY } from '../preference-query.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { renewCookieIfDue } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const schema = {
  querystring: Type.Object({ ...PREFERENCE_QUERY, ...StayQuery.properties }),
  response: { 200: WishlistVM },
}

/** With a stay the hotels have prices for it. Without a session the list is empty. */
export function listWishesRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.wishlist.list',
    deadlineMs: DEADLINE_MS,
  } as const
  app.get('/bff/consumer/v1/wishlist', { config, schema }, async (request, reply) => {
    const stay = readStay(request.query, ctx.clock.now())
    const lookup = session.lookupOf(request)
    // With Redis unavailable the database is still read: the cookie alone verifies the guest (D25).
    const guest = lookup.kind === 'none' ? undefined : lookup.session
    if (lookup.kind === 'found') renewCookieIfDue(ctx, reply, guest)
    const client = readClientInfo(request)
    const preferences = choosePrivatePreferences({ client, guest }, request.query)
    const { deadline, trace } = request
    const text = await listWishes(ctx, guest, { ...preferences, ...stay, deadline, trace })
    addHeader(reply, 'content-language', preferences.locale)
    sendPrivateJson(reply, text)
  })
}
