import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, buildApp, registerAt, renderOpenApi } from '../../src/http/index.ts'

const ADDRESSES = [
  { prefix: '/bff/booking/v1/:tenantSlug', params: { tenantSlug: Type.String({ maxLength: 8 }) } },
  { prefix: '/api' },
] as const

let app: App
beforeAll(async () => {
  const openapi = { title: 'Addresses', version: '1.0.0' }
  app = await buildApp({ service: 'addresses', openapi })
  registerAt(app, ADDRESSES, (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('x-slug', String((request.params as { tenantSlug?: string }).tenantSlug))
    })
    const params = Type.Object({ draftId: Type.String({ maxLength: 8 }) })
    const config = { operation: 'draft.read' }
    scope.get('/drafts/:draftId', { config, schema: { params } }, async (request) => ({
      draftId: request.params.draftId,
    }))
    scope.get('/bootstrap', { config: { operation: 'bootstrap.read' } }, async () => ({}))
  })
})
afterAll(() => app.close())

describe('registerAt', () => {
  it('D24 serves one handler and schema at every address', async () => {
    for (const [url, slug] of [
      ['/bff/booking/v1/serena/drafts/d1', 'serena'],
      ['/api/drafts/d1', 'undefined'],
    ] as const) {
      const response = await app.inject(url)
      expect([response.statusCode, response.json()]).toEqual([200, { draftId: 'd1' }])
      expect(response.headers['x-slug']).toBe(slug)
    }
    expect((await app.inject('/bff/booking/v1/serena/bootstrap')).statusCode).toBe(200)
    expect((await app.inject('/api/bootstrap')).statusCode).toBe(200)
  })

  it('validates the parameters of the address and those of the route', async () => {
    for (const url of [
      '/bff/booking/v1/too-long-a-slug/drafts/d1',
      '/bff/booking/v1/too-long-a-slug/bootstrap',
      '/bff/booking/v1/serena/drafts/too-long-an-id',
      '/api/drafts/too-long-an-id',
    ]) {
      expect((await app.inject(url)).statusCode, url).toBe(400)
    }
    expect((await app.inject('/drafts/d1')).statusCode).toBe(404)
  })

  it('documents each operation once, with the first address and its parameters', async () => {
    const document = JSON.parse(await renderOpenApi(app))
    const paths = Object.keys(document.paths).filter((path) => !path.startsWith('/health'))
    expect(paths).toEqual([
      '/bff/booking/v1/{tenantSlug}/bootstrap',
      '/bff/booking/v1/{tenantSlug}/drafts/{draftId}',
    ])
    const { get } = document.paths['/bff/booking/v1/{tenantSlug}/drafts/{draftId}']
    expect(get.operationId).toBe('draft.read')
    expect(get.parameters.map(({ name }: { name: string }) => name)).toEqual([
      'tenantSlug',
      'draftId',
    ])
  })
})
