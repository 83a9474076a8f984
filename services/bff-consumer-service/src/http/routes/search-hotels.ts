import type { App } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { memoizePlans, planPage } from '../../search/plan-page.ts'
import { peekPage, readPage } from '../../search/read-page.ts'
import { SearchBody, SearchPage } from '../../search/search-schema.ts'
import { SEARCH_CONFIG, serveSearch } from '../serve-search.ts'
import type { Hooks } from './index.ts'

const config = { ...SEARCH_CONFIG, operation: 'consumer.search.list' } as const
const schema = { body: SearchBody, response: { 200: SearchPage } }

export const listOperation = { plan: memoizePlans(planPage), peek: peekPage, read: readPage }

export function searchHotelsRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post('/bff/consumer/v1/search', { config, schema }, (request, reply) =>
    serveSearch(ctx, { session, request, reply, body: request.body }, listOperation),
  )
}
