import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { type App, buildApp, type OpenApiOptions, renderOpenApi } from '../../src/http/index.ts'

const EXAMPLE = { code: 'AFN' }
const Money = Type.Object({ code: Type.String() }, { title: 'Money', examples: [EXAMPLE] })
const Price = Type.Object({ total: Money, parts: Type.Array(Money) }, { title: 'Price' })

async function documentOf(routes: (app: App) => void, more: Partial<OpenApiOptions> = {}) {
  const openapi = { title: 'Documents', version: '1.0.0', ...more }
  await using app = await buildApp({ service: 'documents', openapi })
  routes(app)
  return JSON.parse(await renderOpenApi(app))
}

it('every use of a schema with a title is a reference to one definition with its example', async () => {
  const { paths, components } = await documentOf((app) => {
    app.get('/price', { schema: { response: { 200: Price } } }, () => ({
      total: EXAMPLE,
      parts: [],
    }))
  })
  const { schema } = paths['/price'].get.responses['200'].content['application/json']
  expect(schema).toEqual({ $ref: '#/components/schemas/Price' })
  expect(components.schemas.Price.properties).toMatchObject({
    total: { $ref: '#/components/schemas/Money' },
    parts: { items: { $ref: '#/components/schemas/Money' } },
  })
  expect(components.schemas.Money.examples).toEqual([EXAMPLE])
})

it('two different schemas with one name are rejected', async () => {
  const Other = Type.Object({ amount: Type.Integer() }, { title: 'Money' })
  const document = documentOf((app) => {
    app.get('/price', { schema: { response: { 200: Price } } }, () => ({
      total: EXAMPLE,
      parts: [],
    }))
    app.get('/other', { schema: { response: { 200: Other } } }, () => ({ amount: 1 }))
  })
  await expect(document).rejects.toThrow('two different schemas named Money')
})

it('a route lists its problem codes by status, each with an example', async () => {
  const { paths } = await documentOf((app) => {
    const problems = [
      'MELMASTOON.TENANT.NOT_FOUND',
      'MELMASTOON.THEME.NOT_FOUND',
      'MELMASTOON.GENERAL.CONFLICT',
    ] as const
    app.get('/price', { config: { problems } }, () => EXAMPLE)
  })
  const { responses } = paths['/price'].get
  const { schema, examples } = responses['404'].content['application/problem+json']
  expect(schema.allOf[1].properties.code.enum).toEqual([
    'MELMASTOON.TENANT.NOT_FOUND',
    'MELMASTOON.THEME.NOT_FOUND',
  ])
  expect(examples['MELMASTOON.THEME.NOT_FOUND'].value).toMatchObject({ status: 404 })
  expect(Object.keys(responses).toSorted()).toEqual(['404', '409', 'default'])
})

it('operations with one schema have their own examples and response headers', async () => {
  const priceOf = (code: string) => ({ total: { code }, parts: [] })
  const operations = {
    first: { summary: 'First', examples: { responses: { 200: priceOf('AFN') } } },
    second: { summary: 'Second', examples: { responses: { 200: priceOf('USD') } } },
  }
  const { paths, components } = await documentOf(
    (app) => {
      const schema = { response: { 200: Price } }
      for (const operation of ['first', 'second']) {
        const config = { operation, responseHeaders: ['ETag'] as const }
        app.get(`/${operation}`, { config, schema }, () => priceOf('AFN'))
      }
    },
    { operations },
  )
  const { content, headers } = paths['/second'].get.responses['200']
  expect(content['application/json'].example).toEqual(priceOf('USD'))
  expect(paths['/first'].get.responses['200'].content['application/json'].example).toEqual(
    priceOf('AFN'),
  )
  expect(Object.keys(headers)).toEqual(['ETag'])
  expect(components.schemas.Price).not.toHaveProperty('examples')
})

it('operations that reject without a session need its cookie, and timed problems name the time', async () => {
  const sessionCookie = { name: '__Host-id', description: 'Of the session.' }
  const { paths, components } = await documentOf(
    (app) => {
      const problems = [
        'MELMASTOON.SESSION.COOKIE_INVALID',
        'MELMASTOON.GENERAL.RATE_LIMITED',
      ] as const
      app.get('/own', { config: { problems } }, () => EXAMPLE)
      app.get('/open', () => EXAMPLE)
    },
    { sessionCookie },
  )
  expect(components.securitySchemes.session).toMatchObject({ in: 'cookie', name: '__Host-id' })
  expect(paths['/own'].get.security).toEqual([{ session: [] }])
  expect(paths['/open'].get).not.toHaveProperty('security')
  expect(paths['/own'].get.responses['429'].headers).toHaveProperty('Retry-After')
  expect(paths['/own'].get.responses['401']).not.toHaveProperty('headers')
})

it('a parameter with a default may be omitted, and others not', async () => {
  const { paths } = await documentOf((app) => {
    const querystring = Type.Object({
      limit: Type.Integer({ default: 10 }),
      hotel: Type.String(),
    })
    app.get('/prices', { schema: { querystring } }, () => EXAMPLE)
  })
  const parameters = paths['/prices'].get.parameters as { name: string; required: boolean }[]
  expect(Object.fromEntries(parameters.map(({ name, required }) => [name, required]))).toEqual({
    limit: false,
    hotel: true,
  })
})

it('examples may have members that are named like keywords of schemas', async () => {
  const response = { 200: Type.Object({ properties: Type.Array(Type.String()) }) }
  const lines = { 'application/json': { schema: Money }, 'text/plain': { schema: Type.String() } }
  const examples = { responses: { 200: { properties: ['a'] } } }
  const media = { 'application/json': EXAMPLE, 'text/plain': 'AFN' }
  const { paths } = await documentOf(
    (app) => {
      app.get('/scope', { config: { operation: 'scope' }, schema: { response } }, () => ({
        properties: ['a'],
      }))
      const several = { response: { 200: { description: 'Both', content: lines } } }
      app.get('/both', { config: { operation: 'both' }, schema: several }, () => EXAMPLE)
    },
    {
      operations: {
        scope: { summary: 'Scope', examples },
        both: { summary: 'Both', examples: { media } },
      },
    },
  )
  const contentOf = (path: string) => paths[path].get.responses['200'].content
  expect(contentOf('/scope')['application/json'].example).toEqual({ properties: ['a'] })
  expect(contentOf('/both')['application/json'].example).toEqual(EXAMPLE)
  expect(contentOf('/both')['text/plain'].example).toBe('AFN')
})

it('operations state all that they require', async () => {
  const proof = { type: 'apiKey', in: 'header', name: 'DPoP', description: 'A proof' } as const
  const of = (operation: string) => (operation === 'open' ? [] : ['proof'])
  const { paths, components } = await documentOf(
    (app) => {
      app.get('/closed', { config: { operation: 'closed' } }, () => EXAMPLE)
      app.get('/open', { config: { operation: 'open' } }, () => EXAMPLE)
    },
    { security: { schemes: { proof }, of } },
  )
  expect(components.securitySchemes).toEqual({ proof })
  expect(paths['/closed'].get.security).toEqual([{ proof: [] }])
  expect(paths['/open'].get.security).toBeUndefined()
})

it('documents servers, common headers, members of problems, and responses without a text', async () => {
  const servers = [{ url: '/', description: 'Here' }]
  const current = Type.Object({ version: Type.Integer() }, { title: 'CurrentPrice' })
  const { paths, ...document } = await documentOf(
    (app) => {
      const problems = ['MELMASTOON.GENERAL.CONFLICT'] as const
      const config = { operation: 'price', problems, responseHeaders: ['ETag'] as const }
      app.get('/price', { config, schema: { response: { 200: Price } } }, () => ({
        total: EXAMPLE,
        parts: [],
      }))
    },
    {
      servers,
      commonHeaders: (operation, status) =>
        operation === 'price' && status !== 'default' ? ['DPoP-Nonce'] : [],
      problemMembers: { 'MELMASTOON.GENERAL.CONFLICT': { current } },
    },
  )
  const { 200: found, 409: conflict, default: other } = paths['/price'].get.responses
  expect(document.servers).toEqual(servers)
  expect(found.description).toBe('The request succeeded')
  expect(Object.keys(found.headers)).toEqual(['DPoP-Nonce', 'ETag'])
  expect(Object.keys(conflict.headers)).toEqual(['DPoP-Nonce'])
  expect(other).not.toHaveProperty('headers')
  const { schema } = conflict.content['application/problem+json']
  expect(schema.allOf[1].properties.current).toEqual({ $ref: '#/components/schemas/CurrentPrice' })
})
