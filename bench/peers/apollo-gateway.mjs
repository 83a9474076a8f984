import { RESTDataSource } from '@apollo/datasource-rest'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { GraphQLScalarType } from 'graphql'
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

/** Apollo Server over REST data sources, prices and brands fetched once per page. */
async function start({ upstreams, secret }) {
  const headers = serviceHeaders(secret)
  class Upstream extends RESTDataSource {
    constructor(baseUrl) {
      super()
      this.baseURL = `${baseUrl}/`
    }

    postJson(path, body) {
      return this.post(path, { body, headers })
    }
  }
  const server = new ApolloServer({
    typeDefs: TYPES,
    resolvers: {
      JSON: new GraphQLScalarType({ name: 'JSON', serialize: (value) => value }),
      Query: { search: (_root, { query }, sources) => search(query, sources) },
      Card: {
        ...cardFields,
        brandPeek: async ({ tenantId, brands }) => (await brands).get(tenantId),
        rateSnapshot: async ({ propertyId, rates }) => (await rates).get(propertyId),
      },
    },
  })
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async () => ({
      search: new Upstream(upstreams.search),
      pricing: new Upstream(upstreams.pricing),
      theme: new Upstream(upstreams.theme),
    }),
  })
  return Number(new URL(url).port)
}

async function search(query, sources) {
  const page = await sources.search.postJson('api/v1/search/queries', searchBody(query))
  const brands = readBrands(sources.theme, page.items)
  const rates = readRates(sources.pricing, query, page.items)
  return { ...page, items: page.items.map((item) => ({ ...item, brands, rates })) }
}

async function readBrands(theme, listings) {
  const { peeks } = await theme.postJson('api/v1/themes/peeks', peekBody(listings))
  return new Map(peeks.map((each) => [each.tenantId, composeBrand(each)]))
}

async function readRates(pricing, query, listings) {
  const body = previewBody(query, listings)
  const response = await pricing.postJson('api/v1/pricing/quotes/preview', body)
  const { capturedAt, validUntil } = response
  const priced = response.previews.filter(({ status }) => status === 'priced')
  return new Map(priced.map((each) => [each.propertyId, composeRate(each, capturedAt, validUntil)]))
}

serveCommands({ start })
