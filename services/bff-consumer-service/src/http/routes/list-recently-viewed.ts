import { type App, sendPrivateJson } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import type { ConsumerContext } from '../../context.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import { RecentlyViewedPage, readRecentlyViewed } from '../../views/recently-viewed.ts'
import { greetGuest } from '../greet-guest.ts'
import { readVisit } from '../read-visit.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const schema = { response: { 200: RecentlyViewedPage } }

/** Whoever comes without a session has seen nothing; that is no reason to begin one. */
export function listRecentlyViewedRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const config = { operation: 'consumer.recently_viewed.list', deadlineMs: DEADLINE_MS }
  app.get('/bff/consumer/v1/recently-viewed', { config, schema }, async (request, reply) => {
    const lookup = session.lookupOf(request)
    // An empty list would say that nothing was seen, and nobody can know.
    if (lookup.kind === 'unavailable') throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    const guest = lookup.kind === 'found' ? lookup.session : undefined
    greetGuest(ctx, reply, guest)
    const { deadline, trace } = request
    const preferences = choosePreferences({
      said: {},
      visit: readVisit(request),
      kept: guest?.data,
    })
    const text = await readRecentlyViewed(ctx, guest, { ...preferences, deadline, trace })
    sendPrivateJson(reply, text)
  })
}
