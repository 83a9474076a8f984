import { isProblem, newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  serveTestContract,
  type TestContractServer,
  testContract,
} from '../frame/serve-test-contract.ts'
import {
  clientFor,
  sandboxEnvironment,
  send,
  serviceHeaders,
  type TestEnvironment,
} from '../start-sandbox.ts'

const PATH = '/upstreams/property/bell/v1/rings'
const WHOLE = { upstream: 'property', operation: null } as const

describe('faulty upstreams', () => {
  let environment: TestEnvironment
  let server: TestContractServer

  beforeAll(async () => {
    environment = await sandboxEnvironment()
    server = await serveTestContract(environment)
  })
  afterEach(() => server.scenarios.restoreAll())
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await environment[Symbol.asyncDispose]()
  })

  const read = (scenario?: string, url = server.url) =>
    send(url, 'GET', PATH, {
      headers: {
        ...serviceHeaders(),
        ...(scenario !== undefined && { 'x-sandbox-scenario': scenario }),
      },
    })

  const codeOf = async (call: Promise<unknown>) =>
    call.then(
      () => 'fulfilled',
      (error: unknown) => (isProblem(error) ? error.code : String(error)),
    )

  it('returns 503 immediately while down, and works once restored', async () => {
    await server.scenarios.setFault({ ...WHOLE, fault: { kind: 'down' } })
    const { status, body } = await read()
    expect({ status, code: body['code'] }).toEqual({
      status: 503,
      code: 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    })
    await server.scenarios.restorePart(WHOLE)
    expect((await read()).status).toBe(200)
  })

  it('rejects unauthenticated callers also while down', async () => {
    await server.scenarios.setFault({ ...WHOLE, fault: { kind: 'down' } })
    expect((await send(server.url, 'GET', PATH)).status).toBe(401)
  })

  it('closes the connection with the reset option', async () => {
    await expect(read('down=reset')).rejects.toThrow('fetch failed')
    expect((await read()).status).toBe(200)
  })

  it('applies a fault to one call by its header and to no other', async () => {
    expect((await read('down')).status).toBe(503)
    expect((await read()).status).toBe(200)
  })

  it('applies a fault to one operation only', async () => {
    await server.scenarios.setFault({ ...WHOLE, operation: 'ring', fault: { kind: 'down' } })
    expect((await read()).status).toBe(200)
    const headers = serviceHeaders(newId('tnt'))
    const ring = await send(server.url, 'POST', PATH, {
      key: newId('req'),
      json: { loud: true },
      headers,
    })
    expect(ring.status).toBe(503)
    await server.scenarios.restorePart(WHOLE)
    expect(server.scenarios.faultyParts()).toEqual([])
  })

  it('responds correctly but late while slow', async () => {
    const startedAt = performance.now()
    expect((await read('slow=300')).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295)
  })

  it('lets the caller time out while hanging', async () => {
    const client = clientFor(testContract, server.url, { scenario: 'hanging', deadlineMs: 300 })
    expect(await codeOf(client.read({ query: {} }))).toBe('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    await eventually(() => expect(server.app.traffic.inFlight).toBe(0))
  })

  it.each(['unanswered', 'unanswered=reset'])(
    'takes effect but loses the response: %s',
    async (scenario) => {
      const [idempotencyKey, tenantId] = [newId('req'), newId('tnt')]
      const before = server.rings.length
      const call = { idempotencyKey, tenantId }
      const input = { body: { loud: true } }
      const lossy = clientFor(testContract, server.url, { scenario, deadlineMs: 500 })
      expect(await codeOf(lossy.ring(input, call))).toMatch(/UPSTREAM_(TIMEOUT|UNAVAILABLE)/)
      expect(server.rings).toHaveLength(before + 1)
      const again = await clientFor(testContract, server.url).ring(input, call)
      expect(again).toMatchObject({ tenantId, count: before + 1 })
      expect(server.rings).toHaveLength(before + 1)
      await eventually(() => expect(server.app.traffic.inFlight).toBe(0))
    },
  )

  it('has no effect when the request is lost', async () => {
    const before = server.rings.length
    const lossy = clientFor(testContract, server.url, { scenario: 'hanging', deadlineMs: 300 })
    const call = { idempotencyKey: newId('req'), tenantId: newId('tnt') }
    expect(await codeOf(lossy.ring({ body: { loud: true } }, call))).toMatch(/UPSTREAM_TIMEOUT/)
    expect(server.rings).toHaveLength(before)
  })

  it('affects as many calls as it is set for, also concurrent ones', async () => {
    await server.scenarios.setFault({
      ...WHOLE,
      operation: 'read',
      fault: { kind: 'down', times: 3 },
    })
    const responses = await Promise.all(Array.from({ length: 10 }, () => read()))
    const failed = responses.filter(({ status }) => status === 503)
    expect(failed).toHaveLength(3)
    expect((await read()).status).toBe(200)
    await eventually(() => expect(server.scenarios.faultyParts()).toEqual([]))
  })

  it('returns a response that violates the contract while lying', async () => {
    const client = clientFor(testContract, server.url, { scenario: 'lying' })
    const broken = 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'
    expect(await codeOf(client.read({ query: {} }))).toBe(broken)
    expect((await read('lying')).headers.get('content-type')).toContain('application/json')
  })

  it('replays the correct response of a mutation after lying', async () => {
    const [idempotencyKey, tenantId] = [newId('req'), newId('tnt')]
    const before = server.rings.length
    const call = { idempotencyKey, tenantId }
    const lying = clientFor(testContract, server.url, { scenario: 'lying' })
    const honest = clientFor(testContract, server.url)
    const input = { body: { loud: true } }
    expect(await codeOf(lying.ring(input, call))).toBe('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
    expect(await honest.ring(input, call)).toMatchObject({ tenantId, count: before + 1 })
    expect(server.rings).toHaveLength(before + 1)
  })

  it('does not change error responses while lying', async () => {
    const headers = { ...serviceHeaders(), 'x-sandbox-scenario': 'lying' }
    const { status, body } = await send(server.url, 'POST', PATH, { json: {}, headers })
    expect(status).toBe(400)
    expect(body).toMatchObject({ status: 400, code: expect.stringContaining('MELMASTOON.') })
  })

  it('fails some calls while flaky', async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, () => read('flaky=50')))
    const failed = statuses.filter(({ status }) => status === 503).length
    expect(failed).toBeGreaterThan(5)
    expect(failed).toBeLessThan(55)
  })

  it('rejects a misspelt fault, and ignores scenarios of the modules', async () => {
    expect((await read('slow=soon')).status).toBe(400)
    expect((await read('price-up')).status).toBe(200)
  })

  it('applies in other processes within a second, and in those that start later', async () => {
    await using other = await serveTestContract(environment)
    await server.scenarios.setFault({ ...WHOLE, fault: { kind: 'down' } })
    await server.scenarios.setWebhookDelivery('twice')
    const seen = async () => {
      expect((await read(undefined, other.url)).status).toBe(503)
      expect(other.scenarios.webhookDelivery()).toBe('twice')
    }
    await eventually(seen, { timeoutMs: 1_000 })
    await using later = await serveTestContract(environment)
    expect((await read(undefined, later.url)).status).toBe(503)
    await other.scenarios.restoreAll()
    await eventually(async () => expect((await read()).status).toBe(200), { timeoutMs: 1_000 })
    expect(later.scenarios.webhookDelivery()).toBe('twice')
  })

  it('preserves every change of concurrent processes', async () => {
    await using other = await serveTestContract(environment)
    const faults = [server, other].flatMap(({ scenarios }, index) =>
      Array.from({ length: 10 }, (_, part) =>
        scenarios.setFault({
          ...WHOLE,
          operation: `op${index}x${part}`,
          fault: { kind: 'slow', delayMs: 1 },
        }),
      ),
    )
    await Promise.all(faults)
    await eventually(() => {
      expect(server.scenarios.faultyParts()).toHaveLength(20)
      expect(other.scenarios.faultyParts()).toHaveLength(20)
    })
  })

  it('stops while a call hangs', async () => {
    const other = await serveTestContract(environment)
    const hanging = read('hanging', other.url).catch(() => 'cut off')
    await eventually(() => expect(other.app.traffic.inFlight).toBe(1))
    await other.app.close()
    expect(await hanging).toBe('cut off')
    await other[Symbol.asyncDispose]()
  })
})
