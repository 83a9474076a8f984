import { readClientInfo } from '@melmastoon/bff/guests'
import { type App, addHeader, sendPrivateJson } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { RecentlyViewedPage, readRecentlyViewed } from '../../views/recently-viewed.ts'
import { PREFERENCE_QUERY } from '../preference-query.ts'
import { choosePrivatePreferences } from '../private-preferences.ts'
import { renewCookieIfDue } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const schema = {
  querystring: Type.Object(PREFERENCE_QUERY),
  response: { 200: RecentlyViewedPage },
}

/** Without a session the list is empty; reading it starts none. */
export function listRecentlyViewedRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = {
    operation: 'consumer.recently_viewed.list',
    deadlineMs: DEADLINE_MS,
  } as const
  app.get('/bff/consumer/v1/recently-viewed', { config, schema }, async (request, reply) => {
    const lookup = session.lookupOf(request)
    // An empty list would be wrong: what was viewed is only in Redis.
    if (lookup.kind === 'unavailable') throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    const guest = lookup.kind === 'found' ? lookup.session : undefined
    renewCookieIfDue(ctx, reply, guest)
    const { deadline, trace } = request
    const sender = { client: readClientInfo(request), guest }
    const preferences = choosePrivatePreferences(sender, request.query)
    const text = await readRecentlyViewed(ctx, guest, { ...preferences, deadline, trace })
    addHeader(reply, 'content-language', preferences.locale)
    sendPrivateJson(reply, text)
  })
}
