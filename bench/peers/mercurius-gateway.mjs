import Fastify from 'fastify'
import { GraphQLScalarType } from 'graphql'
import mercurius from 'mercurius'
import { Pool } from 'undici'
import { answerCommands } from '../src/harness/answer-commands.ts'
import {
  composeBrand,
  composeRate,
  peekBody,
  previewBody,
  searchBody,
  serviceHeaders,
} from './compose-page.mjs'
import { cardFields, TYPES } from './graphql-page.mjs'

/** Mercurius with its compiler on, and its loaders to ask for prices and brands in one go. */
async function start({ upstreams, secret }) {
  const headers = serviceHeaders(secret)
  const pools = new Map()
  const call = async (base, path, body) => {
    const { origin, pathname } = new URL(base)
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 64 })
    pools.set(origin, pool)
    const options = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await pool.request({ ...options, path: pathname + path })
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
    return answer.body.json()
  }
  const app = Fastify()
  const JSONScalar = new GraphQLScalarType({ name: 'JSON', serialize: (value) => value })
  await app.register(mercurius, {
    schema: TYPES,
    jit: 1,
    resolvers: {
      JSON: JSONScalar,
      Query: {
        search: async (_root, { question }) => {
          const page = await call(upstreams.search, '/api/v1/search/queries', searchBody(question))
          return { ...page, items: page.items.map((item) => ({ ...item, question })) }
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
          const body = previewBody(listings[0].question, listings)
          const answer = await call(upstreams.pricing, path, body)
          const { capturedAt, validUntil } = answer
          const known = new Map(answer.previews.map((each) => [each.propertyId, each]))
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

answerCommands({ start })
