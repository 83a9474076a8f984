import type { App } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { MapBody, SearchMap } from '../../map/map-schema.ts'
import { planMap } from '../../map/plan-map.ts'
import { peekMap, readMap } from '../../map/read-map.ts'
import { memoizePlans } from '../../search/plan-page.ts'
import { SEARCH_CONFIG, serveSearch } from '../serve-search.ts'
import type { Hooks } from './index.ts'

const config = { ...SEARCH_CONFIG, operation: 'consumer.search.map' } as const
const schema = { body: MapBody, response: { 200: SearchMap } }

export const mapOperation = { plan: memoizePlans(planMap), peek: peekMap, read: readMap }

export function searchMapRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post('/bff/consumer/v1/search/map', { config, schema }, (request, reply) =>
    serveSearch(ctx, { session, request, reply, body: request.body }, mapOperation),
  )
}
