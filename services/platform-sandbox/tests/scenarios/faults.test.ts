import { isProblem, newId } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Bell, bellContract, serveBell } from '../frame/serve-bell.ts'
import { clientFor, type Stage, send, serviceHeaders, setStage } from '../start-sandbox.ts'

const PATH = '/upstreams/property/bell/v1/rings'
const WHOLE = { upstream: 'property', operation: null } as const

describe('upstreams that misbehave', () => {
  let stage: Stage
  let bell: Bell

  beforeAll(async () => {
    stage = await setStage()
    bell = await serveBell(stage)
  })
  afterEach(() => bell.scenarios.restoreAll())
  afterAll(async () => {
    await bell[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  const read = (scenario?: string, url = bell.url) =>
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

  it('answers 503 at once while down, and everything once mended', async () => {
    await bell.scenarios.setFault({ ...WHOLE, fault: { kind: 'down' } })
    const { status, body } = await read()
    expect({ status, code: body['code'] }).toEqual({
      status: 503,
      code: 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
    })
    await bell.scenarios.restorePart(WHOLE)
    expect((await read()).status).toBe(200)
  })

  it('rejects strangers also while down', async () => {
    await bell.scenarios.setFault({ ...WHOLE, fault: { kind: 'down' } })
    expect((await send(bell.url, 'GET', PATH)).status).toBe(401)
  })

  it('cuts the connection when that is what being down means', async () => {
    await expect(read('down=reset')).rejects.toThrow('fetch failed')
    expect((await read()).status).toBe(200)
  })

  it('breaks one call by its header and no other', async () => {
    expect((await read('down')).status).toBe(503)
    expect((await read()).status).toBe(200)
  })

  it('breaks one operation and leaves the others alone', async () => {
    await bell.scenarios.setFault({ ...WHOLE, operation: 'ring', fault: { kind: 'down' } })
    expect((await read()).status).toBe(200)
    const headers = serviceHeaders(newId('tnt'))
    const ring = await send(bell.url, 'POST', PATH, {
      key: newId('req'),
      json: { loud: true },
      headers,
    })
    expect(ring.status).toBe(503)
    await bell.scenarios.restorePart(WHOLE)
    expect(bell.scenarios.faultyParts()).toEqual([])
  })

  it('answers right but late while slow', async () => {
    const startedAt = performance.now()
    expect((await read('slow=300')).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295)
  })

  it('is the caller that gives up while it hangs', async () => {
    const client = clientFor(bellContract, bell.url, { scenario: 'hanging', deadlineMs: 300 })
    expect(await codeOf(client.read({ query: {} }))).toBe('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    await eventually(() => expect(bell.app.traffic.inFlight).toBe(0))
  })

  it('lies in a way that the contract finds out', async () => {
    const client = clientFor(bellContract, bell.url, { scenario: 'lying' })
    const broken = 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN'
    expect(await codeOf(client.read({ query: {} }))).toBe(broken)
    expect((await read('lying')).headers.get('content-type')).toContain('application/json')
  })

  it('lies about a mutation that it did, and repeats the truth', async () => {
    const [idempotencyKey, tenantId] = [newId('req'), newId('tnt')]
    const before = bell.rings.length
    const call = { idempotencyKey, tenantId }
    const lying = clientFor(bellContract, bell.url, { scenario: 'lying' })
    const honest = clientFor(bellContract, bell.url)
    const input = { body: { loud: true } }
    expect(await codeOf(lying.ring(input, call))).toBe('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
    expect(await honest.ring(input, call)).toMatchObject({ tenantId, count: before + 1 })
    expect(bell.rings).toHaveLength(before + 1)
  })

  it('never lies about a rejection', async () => {
    const headers = { ...serviceHeaders(), 'x-sandbox-scenario': 'lying' }
    const { status, body } = await send(bell.url, 'POST', PATH, { json: {}, headers })
    expect(status).toBe(400)
    expect(body).toMatchObject({ status: 400, code: expect.stringContaining('MELMASTOON.') })
  })

  it('fails some calls and not others while flaky', async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, () => read('flaky=50')))
    const failed = statuses.filter(({ status }) => status === 503).length
    expect(failed).toBeGreaterThan(5)
    expect(failed).toBeLessThan(55)
  })

  it('rejects a fault that is misspelt, and ignores words of the modules', async () => {
    expect((await read('slow=soon')).status).toBe(400)
    expect((await read('price-up')).status).toBe(200)
  })

  it('is seen by other processes within a second, and by those that start later', async () => {
    await using other = await serveBell(stage)
    await bell.scenarios.setFault({ ...WHOLE, fault: { kind: 'down' } })
    await bell.scenarios.setWebhookFate('twice')
    const seen = async () => {
      expect((await read(undefined, other.url)).status).toBe(503)
      expect(other.scenarios.webhookFate()).toBe('twice')
    }
    await eventually(seen, { timeoutMs: 1_000 })
    await using later = await serveBell(stage)
    expect((await read(undefined, later.url)).status).toBe(503)
    await other.scenarios.restoreAll()
    await eventually(async () => expect((await read()).status).toBe(200), { timeoutMs: 1_000 })
    expect(later.scenarios.webhookFate()).toBe('twice')
  })

  it('keeps every change when several processes change at once', async () => {
    await using other = await serveBell(stage)
    const faults = [bell, other].flatMap(({ scenarios }, index) =>
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
      expect(bell.scenarios.faultyParts()).toHaveLength(20)
      expect(other.scenarios.faultyParts()).toHaveLength(20)
    })
  })

  it('stops although somebody hangs', async () => {
    const other = await serveBell(stage)
    const hanging = read('hanging', other.url).catch(() => 'cut off')
    await eventually(() => expect(other.app.traffic.inFlight).toBe(1))
    await other.app.close()
    expect(await hanging).toBe('cut off')
    await other[Symbol.asyncDispose]()
  })
})
