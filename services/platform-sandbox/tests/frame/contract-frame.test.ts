import { mutatingRoutesWithoutIdempotency, renderOpenApi } from '@melmastoon/chassis/http'
import { newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  clientFor,
  sandboxEnvironment,
  send,
  serviceHeaders,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { serveTestContract, type TestContractServer, testContract } from './serve-test-contract.ts'

const PATH = '/upstreams/property/bell/v1/rings'

describe('the HTTP layer of a contract', () => {
  let environment: TestEnvironment
  let server: TestContractServer

  beforeAll(async () => {
    environment = await sandboxEnvironment()
    server = await serveTestContract(environment)
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await environment[Symbol.asyncDispose]()
  })

  const ring = (
    headers: Record<string, string>,
    key: string = newId('req'),
    json: unknown = { loud: true },
  ) => send(server.url, 'POST', PATH, { key, json, headers })

  it('accepts authenticated services', async () => {
    const client = clientFor(testContract, server.url)
    expect(await client.read({ query: {} })).toMatchObject({ count: expect.any(Number) })
  })

  it.each([
    ['no credentials', {}],
    ['a wrong secret', { ...serviceHeaders(), authorization: 'Bearer invalid' }],
    ['no name', { ...serviceHeaders(), 'x-calling-service': '' }],
    ['a hostile name', { ...serviceHeaders(), 'x-calling-service': '../x' }],
  ])('rejects callers with %s before reading the request', async (_, headers) => {
    const before = server.rings.length
    const { status, body } = await ring({ ...headers, 'x-tenant-id': newId('tnt') }, 'x', 'invalid')
    expect({ status, code: body['code'] }).toEqual({
      status: 401,
      code: 'MELMASTOON.GENERAL.UNAUTHENTICATED',
    })
    expect(server.rings).toHaveLength(before)
  })

  it.each([undefined, 'hotel', newId('ppt')])('rejects the tenant header %s', async (tenant) => {
    const before = server.rings.length
    const { status, body } = await ring(serviceHeaders(tenant))
    expect(status).toBe(400)
    expect(body['code']).toBe('MELMASTOON.TENANT.CONTEXT_REQUIRED')
    expect(server.rings).toHaveLength(before)
  })

  it('replays the stored response and does not repeat the effect', async () => {
    const before = server.rings.length
    const [key, headers] = [newId('req'), serviceHeaders(newId('tnt'))]
    const first = await ring(headers, key)
    const again = await ring(headers, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(server.rings).toHaveLength(before + 1)
  })

  it('passes the idempotency key to handlers', async () => {
    const key = newId('req')
    const { body } = await ring(serviceHeaders(newId('tnt')), key)
    expect(body['key']).toBe(key)
  })

  it('separates equal keys of different tenants and services', async () => {
    const before = server.rings.length
    const [key, tenant] = [newId('req'), newId('tnt')]
    await ring(serviceHeaders(tenant), key)
    await ring(serviceHeaders(newId('tnt')), key)
    await ring(serviceHeaders(tenant, 'another-service'), key)
    expect(server.rings).toHaveLength(before + 3)
  })

  it('rejects a mutation without a key, and a key with another body', async () => {
    const [key, headers] = [newId('req'), serviceHeaders(newId('tnt'))]
    const bare = await send(server.url, 'POST', PATH, { json: { loud: true }, headers })
    expect(bare.body['code']).toBe('MELMASTOON.IDEMPOTENCY.KEY_MISSING')
    await ring(headers, key)
    const other = await ring(headers, key, { loud: false })
    expect(other.body['code']).toBe('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
  })

  it('rejects bodies and queries that are not in the contract', async () => {
    const headers = serviceHeaders(newId('tnt'))
    const { body } = await ring(headers, newId('req'), { loud: 1, soft: true })
    expect(body['code']).toBe('MELMASTOON.GENERAL.VALIDATION_FAILED')
    const query = await send(server.url, 'GET', `${PATH}?min=-1`, { headers })
    expect(query.status).toBe(400)
  })

  it('negotiates the language', async () => {
    const client = clientFor(testContract, server.url)
    expect(await client.read({ query: {} }, { locale: 'ps-AF' })).toMatchObject({ locale: 'ps-AF' })
  })

  it('leaves no mutation without a key and documents every operation', async () => {
    expect(mutatingRoutesWithoutIdempotency(server.app)).toEqual([])
    const document = JSON.parse(await renderOpenApi(server.app)) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    expect(document.paths[PATH]).toMatchObject({
      get: { operationId: 'property.read' },
      post: { operationId: 'property.ring' },
    })
  })
})
