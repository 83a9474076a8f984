import type { App } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { MapBody, SearchMap } from '../../map/map-schema.ts'
import { planMap } from '../../map/plan-map.ts'
import { peekMap, readMap } from '../../map/read-map.ts'
import { memoizePlans } from '../../search/plan-page.ts'
import { choosePreferences } from '../../sessions/choose-preferences.ts'
import { meetVisitor } from '../meet-visitor.ts'
import { serveSearch } from '../serve-search.ts'
import type { Hooks } from './index.ts'

/** For the whole answer, whatever the upstreams do. */
const DEADLINE_MS = 2_500
const schema = { body: MapBody, response: { 200: SearchMap } }

export function searchMapRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  const planned = memoizePlans(planMap)
  const config = {
    operation: 'consumer.search.map',
    deadlineMs: DEADLINE_MS,
    cachesBodies: true,
    limitClass: 'read',
  } as const
  app.post('/bff/consumer/v1/search/map', { config, schema }, (request, reply) => {
    const visitor = meetVisitor(session, request)
    const { visit, guest } = visitor
    const preferences = choosePreferences({ said: request.body, visit, kept: guest?.data })
    const page = planned(request.body, preferences, ctx.clock.nowMs())
    return serveSearch(ctx, reply, {
      ...visitor,
      page,
      warm: peekMap(ctx, page),
      read: () => readMap(ctx, page, { deadline: request.deadline, trace: request.trace }),
    })
  })
}
