import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeadline } from '@melmastoon/chassis/clock'
import { createUpstream } from '@melmastoon/chassis/upstream'
import { newId } from '@melmastoon/domain'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sharedSecretAuth } from '../src/auth/index.ts'
import { createUpstreamClient } from '../src/client.ts'
import { themeContract } from '../src/theme/contract.ts'

const SECRET = 'a secret between services, long enough'
const tenantId = newId('tnt')
const peek = { tenantId, primaryColor: '#004433', logoUrl: '/x.svg', brandName: { default: 'X' } }

interface ReceivedRequest {
  line: string
  headers: IncomingMessage['headers']
  body: string
}

const received: ReceivedRequest[] = []
let responseBody: unknown

const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += String(chunk)
  })
  request.on('end', () => {
    received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(responseBody))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const upstream = createUpstream({
  name: 'theme',
  baseUrl: `http://127.0.0.1:${port}/upstreams/theme`,
  timeoutMs: 2_000,
  retries: 0,
  authorize: sharedSecretAuth('bff-consumer-service', SECRET).headers,
})
const theme = createUpstreamClient(themeContract, upstream)

beforeEach(() => {
  received.length = 0
})

afterAll(async () => {
  await upstream[Symbol.asyncDispose]()
  server.close()
})

describe('a client made from a contract', () => {
  it('sends the caller, language, currency and body', async () => {
    using deadline = createDeadline(2_000)
    responseBody = { peeks: [{ ...peek, version: 1 }] }
    const { peeks } = await theme.peekBrands(
      { body: { tenantIds: [tenantId] } },
      { deadline, locale: 'ps-AF', currency: 'AFN' },
    )
    expect(peeks[0]?.primaryColor).toBe('#004433')
    expect(received[0]).toMatchObject({
      line: 'POST /upstreams/theme/api/v1/themes/peeks',
      body: JSON.stringify({ tenantIds: [tenantId] }),
      headers: {
        authorization: `Bearer ${SECRET}`,
        'x-calling-service': 'bff-consumer-service',
        'accept-language': 'ps-AF',
        'x-currency': 'AFN',
      },
    })
  })

  it('sends the tenant and the key of a mutation', async () => {
    using deadline = createDeadline(2_000)
    responseBody = {}
    const call = { deadline, tenantId, idempotencyKey: 'a-key-of-our-own-making' }
    const publishing = theme.publishVersion({ params: { tenantId, version: 3 }, body: {} }, call)
    await expect(publishing).rejects.toMatchObject({
      code: 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN',
    })
    expect(received[0]).toMatchObject({
      line: `POST /upstreams/theme/api/v1/themes/${tenantId}/versions/3/publish`,
      headers: { 'x-tenant-id': tenantId, 'idempotency-key': 'a-key-of-our-own-making' },
    })
  })

  it('rejects a response that violates the contract', async () => {
    using deadline = createDeadline(2_000)
    responseBody = { peeks: [{ ...peek, version: 'one' }] }
    await expect(
      theme.peekBrands({ body: { tenantIds: [tenantId] } }, { deadline }),
    ).rejects.toMatchObject({ code: 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN' })
  })

  it('escapes path parameters', async () => {
    using deadline = createDeadline(2_000)
    const hostile = JSON.parse('"../../admin?x="')
    await theme.getPublished({ params: { tenantId: hostile } }, { deadline }).catch(() => undefined)
    expect(received[0]?.line).toBe(
      'GET /upstreams/theme/api/v1/themes/..%2F..%2Fadmin%3Fx%3D/published',
    )
  })
})
