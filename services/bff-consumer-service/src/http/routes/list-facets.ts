import { readClientInfo } from '@melmastoon/bff/guests'
import { type App, addHeader, sendCached } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { FacetCatalog } from '../../facets/facet-catalog.ts'
import { readFacets } from '../../facets/read-facets.ts'
import { PREFERENCE_QUERY } from '../preference-query.ts'
import { choosePublicDocument, dropOwnHeaders } from '../public-document.ts'

const DEADLINE_MS = 2_000
const schema = {
  querystring: Type.Object(PREFERENCE_QUERY),
  response: { 200: FacetCatalog },
}

export function listFacetsRoute(app: App, ctx: ConsumerContext) {
  const config = {
    operation: 'consumer.facet.list',
    deadlineMs: DEADLINE_MS,
  } as const
  app.get('/bff/consumer/v1/facets', { config, schema }, async (request, reply) => {
    const { deadline, trace } = request
    const { preferences, caching } = choosePublicDocument(request.query, readClientInfo(request))
    const { bytes, origin } = await readFacets(ctx, preferences, { deadline, trace })
    dropOwnHeaders(reply)
    addHeader(reply, 'content-language', preferences.locale)
    sendCached(reply, bytes, { ...caching, servedFor: origin })
    return reply
  })
}
