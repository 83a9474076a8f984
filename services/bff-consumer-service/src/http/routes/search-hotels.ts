import type { App } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { memoizePlans, planPage } from '../../search/plan-page.ts'
import { peekPage, readPage } from '../../search/read-page.ts'
import { SearchBody, SearchPage } from '../../search/search-schema.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import { meetVisitor } from '../meet-visitor.ts'
import { serveSearch } from '../serve-search.ts'
import type { Hooks } from './index.ts'

/** For the whole answer, whatever the upstreams do. */
const DEADLINE_MS = 2_500
const schema = { body: SearchBody, response: { 200: SearchPage } }

export function searchHotelsRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const planned = memoizePlans(planPage)
  const config = {
    operation: 'consumer.search.list',
    deadlineMs: DEADLINE_MS,
    cachesBodies: true,
    limitClass: 'read',
  } as const
  app.post('/bff/consumer/v1/search', { config, schema }, (request, reply) => {
    const visitor = meetVisitor(session, request)
    const { visit, guest } = visitor
    const preferences = choosePreferences({ said: request.body, visit, kept: guest?.data })
    const page = planned(request.body, preferences, ctx.clock.nowMs())
    return serveSearch(ctx, reply, {
      ...visitor,
      page,
      warm: peekPage(ctx, page),
      read: () => readPage(ctx, page, { deadline: request.deadline, trace: request.trace }),
    })
  })
}
