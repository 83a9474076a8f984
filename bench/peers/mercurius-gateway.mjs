import Fastify from 'fastify'
import { GraphQLScalarType } from 'graphql'
import mercurius from 'mercurius'
import { Pool } from 'undici'
import { serveCommands } from '../src/harness/serve-commands.ts'
import {
  composeBrand,
  composeRate,
  peekBody,
  previewBody,
  searchBody,
  serviceHeaders,
} from './compose-page.mjs'
import { cardFields, TYPES } from './graphql-page.mjs'

/** Mercurius with its compiler, with loaders that fetch prices and brands in one call each. */
async function start({ upstreams, secret }) {
  const headers = serviceHeaders(secret)
  const pools = new Map()
  const call = async (base, path, body) => {
    const { origin, pathname } = new URL(base)
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 64 })
    pools.set(origin, pool)
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await pool.request({ ...options, path: pathname + path })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
  const app = Fastify()
  const JSONScalar = new GraphQLScalarType({ name: 'JSON', serialize: (value) => value })
  await app.register(mercurius, {
    schema: TYPES,
    jit: 1,
    resolvers: {
      JSON: JSONScalar,
      Query: {
        search: async (_root, { query }) => {
          const page = await call(upstreams.search, '/api/v1/search/queries', searchBody(query))
          return { ...page, items: page.items.map((item) => ({ ...item, query })) }
        },
      },
      Card: cardFields,
    },
    loaders: {
      Card: {
        async brandPeek(queries) {
          const listings = queries.map(({ obj }) => obj)
          const { peeks } = await call(upstreams.theme, '/api/v1/themes/peeks', peekBody(listings))
          const known = new Map(peeks.map((each) => [each.tenantId, composeBrand(each)]))
          return listings.map(({ tenantId }) => known.get(tenantId))
        },
        async rateSnapshot(queries) {
          const listings = queries.map(({ obj }) => obj)
          const path = '/api/v1/pricing/quotes/preview'
          const body = previewBody(listings[0].query, listings)
          const response = await call(upstreams.pricing, path, body)
          const { capturedAt, validUntil } = response
          const known = new Map(response.previews.map((each) => [each.propertyId, each]))
          return listings.map(({ propertyId }) => {
            const price = known.get(propertyId)
            return price?.status === 'priced' ? composeRate(price, capturedAt, validUntil) : null
          })
        },
      },
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
