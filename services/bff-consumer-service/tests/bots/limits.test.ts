import { connect } from 'node:net'
import type { LimitPolicy } from '@melmastoon/chassis/limits'
import { newId } from '@melmastoon/domain'
import { startRedis } from '@melmastoon/one-machine'
import { eventually, temporaryFolder } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LimitName } from '../../src/limits/create-limits.ts'
import { stayRequest } from '../harness/handoff-client.ts'
import {
  createGuest,
  type Fixture,
  post,
  startConsumer,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'
import { codeOf, cookieOf, LIMITED, search } from './visitors.ts'

let fixture: Fixture
let url: string

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** With a unique name, so that no other test uses the bucket. */
const few = (limit: number): LimitPolicy => ({
  name: `few-${newId('req').toLowerCase()}`,
  limit,
  periodSeconds: 3_600,
})

type Policies = Partial<Record<LimitName, LimitPolicy>>

async function startInstances(count: number, policies: Policies, env = {}) {
  const environment = { env: { ...fixture.environment.env, ...env } }
  const starting = Array.from({ length: count }, () => startConsumer(environment, { policies }))
  const services = await Promise.all(starting)
  return {
    url: services[0]?.url ?? '',
    urls: services.map((service) => service.url),
    services,
    /** Waits for the limits that are checked in the background. */
    async finishBackgroundWork() {
      for (const { ctx } of services) await ctx.background[Symbol.asyncDispose]()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))
    },
  }
}

/** One after the other, alternating between the instances. */
async function sendAlternating(
  urls: readonly string[],
  times: number,
  headersOf: (time: number) => Record<string, string> | Promise<Record<string, string>>,
): Promise<TestResponse[]> {
  const responses: TestResponse[] = []
  for (let time = 0; time < times; time += 1) {
    responses.push(await search(urls[time % urls.length] ?? '', await headersOf(time)))
  }
  return responses
}

const allowedOf = (responses: readonly TestResponse[]) =>
  responses.filter(({ status }) => status === 200).length

/** A session that no limit has counted, from one address with one fingerprint. */
const newSession = async (headers: Record<string, string> = {}) => ({
  ...headers,
  cookie: (await createGuest(url, headers)).cookie,
})

describe('P10 a limit', () => {
  it('per guest applies across two instances, and to this guest only', async () => {
    await using two = await startInstances(2, { read: few(10) })
    const [one, other] = [await newSession(), await newSession()]
    expect(allowedOf(await sendAlternating(two.urls, 16, () => one))).toBe(10)
    expect(allowedOf(await sendAlternating(two.urls, 4, () => other))).toBe(4)
  })

  it('per address applies across two instances, to all guests', async () => {
    const limit = 12
    await using two = await startInstances(2, { address: few(limit) })
    const responses = await sendAlternating(two.urls, 28, async (time) => {
      await two.finishBackgroundWork()
      return newSession({ 'user-agent': `curl/8.${time}` })
    })
    // No request waits for this limit: until a rejection is known, each instance allows one more.
    expect(allowedOf(responses)).toBeGreaterThanOrEqual(limit)
    expect(allowedOf(responses)).toBeLessThanOrEqual(limit + 2)
    expect(codeOf(responses.at(-1) as TestResponse)).toEqual([429, LIMITED])
  })

  it('per device applies across two instances, to all sessions', async () => {
    const limit = 12
    await using two = await startInstances(2, { device: few(limit) })
    const curl = { 'user-agent': `curl/8.5 ${newId('req')}` }
    const responses = await sendAlternating(two.urls, 28, async () => {
      await two.finishBackgroundWork()
      return newSession(curl)
    })
    expect(allowedOf(responses)).toBeGreaterThanOrEqual(limit)
    expect(allowedOf(responses)).toBeLessThanOrEqual(limit + 2)
    const others = await sendAlternating(two.urls, 16, (time) =>
      newSession({ 'user-agent': `curl/8.6.${time}` }),
    )
    expect(allowedOf(others)).toBe(16)
  })

  it('C9 per fingerprint applies at all addresses together', async () => {
    const limit = 12
    const proxied = { TRUST_PROXY_HOPS: '1' }
    await using two = await startInstances(2, { fingerprint: few(limit) }, proxied)
    const from = (time: number, userAgent: string) => ({
      'x-forwarded-for': `203.0.113.${time}`,
      'user-agent': userAgent,
    })
    const program = `curl/8.5 ${newId('req')}`
    const responses = await sendAlternating(two.urls, 28, async (time) => {
      await two.finishBackgroundWork()
      return from(time, program)
    })
    expect(allowedOf(responses)).toBeGreaterThanOrEqual(limit)
    expect(allowedOf(responses)).toBeLessThanOrEqual(limit + 2)
    expect(codeOf(responses.at(-1) as TestResponse)).toEqual([429, LIMITED])
    const others = await sendAlternating(two.urls, 16, (time) => from(time, `curl/8.6.${time}`))
    expect(allowedOf(others)).toBe(16)
  })

  it('control: without a limit all requests succeed', async () => {
    await using two = await startInstances(2, {})
    expect(allowedOf(await sendAlternating(two.urls, 28, () => newSession()))).toBe(28)
  })

  it('of changes does not apply to reads', async () => {
    await using instance = await startInstances(1, { change: few(2) })
    const { cookie } = await newSession()
    const change = () =>
      post(instance.url, '/session/currency', {
        json: { currency: 'USD' },
        headers: { cookie, 'idempotency-key': newId('req') },
      })
    const codes = [await change(), await change(), await change()].map(({ status }) => status)
    expect(codes).toEqual([200, 200, 429])
    expect((await search(instance.url, { cookie })).status).toBe(200)
  })
})

describe('SEC-R03 windows', () => {
  it('SEC-R03 have no boundary that allows a second burst', async () => {
    const policy = { ...few(10), periodSeconds: 1 }
    await using two = await startInstances(2, { change: policy })
    const limiters = two.services.map(({ ctx }) => ctx.limits.change)
    const acceptedAtMs: number[] = []
    const startedMs = performance.now()
    for (let time = 0; performance.now() - startedMs < 2_500; time += 1) {
      const requestedMs = performance.now()
      const decision = await limiters[time % 2]?.take('guest')
      if (decision?.allowed) acceptedAtMs.push(requestedMs)
      else await new Promise((resolve) => setImmediate(resolve))
    }
    expect(acceptedAtMs.length).toBeGreaterThan(12)
    for (const [first, fromMs] of acceptedAtMs.entries()) {
      const within = acceptedAtMs.slice(first).filter((atMs) => atMs - fromMs < 1_000)
      // The burst and the refill of a second: a fixed window would allow two bursts at its
      // boundary.
      expect(within.length).toBeLessThanOrEqual(10 + 10 + 1)
    }
    const atOnce = acceptedAtMs.map(
      (fromMs) => acceptedAtMs.filter((atMs) => atMs >= fromMs && atMs - fromMs < 200).length,
    )
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(10 + 2 + 1)
  })
})

describe('P10 new sessions', () => {
  it('beyond the limit: pages are served without one, and starting one is rejected', async () => {
    await using two = await startInstances(2, { newSessionDevice: few(3) })
    const responses = await sendAlternating(two.urls, 6, () => ({}))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(responses.filter((response) => cookieOf(response) !== '')).toHaveLength(3)
    const started = await post(two.url, '/session', {})
    expect(codeOf(started)).toEqual([429, LIMITED])
    expect(Number(started.headers.get('retry-after'))).toBeGreaterThan(0)
    const known = await newSession()
    expect((await search(two.url, known)).status).toBe(200)
  })
})

function withForgedAddress(number: number): string {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const forged = `x-forwarded-for: ${address}\r\nforwarded: for=${address}\r\n`
  const ordinary = 'host: melmastoon.example\r\nuser-agent: curl/8.5.0\r\n'
  return `GET /bff/consumer/v1/suggest?q=kab HTTP/1.1\r\n${ordinary}${forged}\r\n`
}

/** Pipelined over one connection; returns the statuses in order. */
async function sendTogether(at: string, requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(at)
  const socket = connect(Number(port), hostname)
  socket.write(requests.join(''))
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
    if (statuses.length === requests.length) return statuses
  }
  throw new Error('the connection ended before all responses')
}

describe('SEC-R05 forged addresses', () => {
  it('SEC-R05 ten thousand of them count as one client', async () => {
    await using instance = await startInstances(1, { read: few(20) })
    const numbers = Array.from({ length: 10_000 }, (_, number) => number)
    const statuses: string[] = []
    for (let from = 0; from < numbers.length; from += 50) {
      const requests = numbers.slice(from, from + 50).map(withForgedAddress)
      statuses.push(...(await sendTogether(instance.url, requests)))
    }
    expect(statuses).toHaveLength(10_000)
    expect(statuses.filter((status) => status === '200')).toHaveLength(20)
    expect(new Set(statuses)).toEqual(new Set(['200', '429']))
  })

  it('behind one proxy only the address written by the proxy counts', async () => {
    await using two = await startInstances(2, { read: few(5) }, { TRUST_PROXY_HOPS: '1' })
    const forwarded = (address: string) => ({ 'x-forwarded-for': `${newId('req')}, ${address}` })
    const one = await sendAlternating(two.urls, 8, () => forwarded('203.0.113.5'))
    expect(allowedOf(one)).toBe(5)
    const other = await sendAlternating(two.urls, 3, () => forwarded('203.0.113.6'))
    expect(allowedOf(other)).toBe(3)
  })

  it('clients without a valid address count as one', async () => {
    await using two = await startInstances(2, { read: few(5) }, { TRUST_PROXY_HOPS: '1' })
    const invalid = ['unknown', '203.0.113.5:443', '[2001:db8::1]', '-']
    const responses = await sendAlternating(two.urls, 8, (time) => ({
      'x-forwarded-for': invalid[time % invalid.length] ?? '',
    }))
    expect(allowedOf(responses)).toBe(5)
    expect(codeOf(responses.at(-1) as TestResponse)).toEqual([429, LIMITED])
  })
})

describe('SEC-R06 the headers', () => {
  it('SEC-R06 show the tightest limit, and a rejection has a problem document', async () => {
    const read = few(64)
    const unlimited = (name: string) => ({ name, limit: 1e12, periodSeconds: 1, burst: 1e6 })
    const others = { address: unlimited('address'), device: unlimited('device') }
    await using instance = await startInstances(1, { read, ...others })
    const session = await newSession()
    const [first, ...rest] = await sendAlternating(instance.urls, 66, () => session)
    const left = (response: TestResponse | undefined) => {
      const field = String(response?.headers.get('ratelimit'))
      const [, name, remaining] = /^"([^"]+)";r=(\d+);t=\d+$/.exec(field) ?? []
      expect(name).toBe(read.name)
      return Number(remaining)
    }
    expect(first?.headers.get('ratelimit-policy')).toBe(`"${read.name}";q=64;w=3600`)
    const counts = [first, ...rest].map(left)
    expect(counts.every((count, at) => at === 0 || count <= (counts[at - 1] ?? 0))).toBe(true)
    const rejected = rest.at(-1) as TestResponse
    expect(codeOf(rejected)).toEqual([429, LIMITED])
    expect(rejected.headers.get('content-type')).toContain('application/problem+json')
    const retryAfter = Number(rejected.headers.get('retry-after'))
    expect(rejected.body).toMatchObject({ retriable: true, retryAfter })
    expect(retryAfter).toBeGreaterThan(0)
  })

  it('show another limit when that one is tighter', async () => {
    const fingerprint = few(8)
    await using instance = await startInstances(1, { fingerprint })
    const curl = { 'user-agent': `curl/8.5 ${newId('req')}` }
    const responses = await sendAlternating(instance.urls, 12, async () => {
      await instance.finishBackgroundWork()
      return newSession(curl)
    })
    const rejected = responses.find(({ status }) => status === 429)
    expect(rejected?.headers.get('ratelimit')).toMatch(new RegExp(`^"${fingerprint.name}";r=0;`))
  })
})

describe('handoffs', () => {
  const target = () => {
    const { tenantId, propertyId } = fixture.upstreams.hotels[0] ?? {}
    if (tenantId === undefined || propertyId === undefined) throw new Error('no hotel')
    return { tenantId, propertyId }
  }

  /** Without a retry, which would hide rejections. */
  const handOff = (at: string, cookie: string) =>
    post(at, `/handoff/${target().tenantId}/${target().propertyId}`, {
      json: stayRequest(),
      headers: { cookie, 'idempotency-key': newId('req') },
    })

  it('have a lower limit during a campaign, and the normal one afterwards', async () => {
    const name = `handoff-${newId('req').toLowerCase()}`
    const handoff = { name, limit: 6, periodSeconds: 3_600 }
    const handoffInCampaign = { name, limit: 3, periodSeconds: 3_600 }
    const policies = { handoff, handoffInCampaign }
    await using service = await startConsumer(fixture.environment, { policies })
    const { cacheRedis, flags } = service.ctx
    const statusesOf = async (cookie: string, times: number) => {
      const statuses: number[] = []
      for (let time = 0; time < times; time += 1) {
        statuses.push((await handOff(service.url, cookie)).status)
      }
      return statuses
    }
    const campaign = async (enabled: boolean) => {
      await cacheRedis.set('bff.consumer.campaign_mode.v1', JSON.stringify({ enabled }))
      await eventually(() => {
        if (flags.isCampaign() !== enabled) throw new Error('not seen yet')
      })
    }
    const [before, during, after] = [
      await createGuest(url),
      await createGuest(url),
      await createGuest(url),
    ]
    expect(await statusesOf(before.cookie, 7)).toEqual([...Array(6).fill(201), 429])
    await campaign(true)
    expect(await statusesOf(during.cookie, 4)).toEqual([201, 201, 201, 429])
    await campaign(false)
    expect(await statusesOf(after.cookie, 7)).toEqual([...Array(6).fill(201), 429])
  })

  it('SEC-R04 without Redis are rejected, while searches continue under a limit', async () => {
    using folder = temporaryFolder()
    const cache = await startRedis({ dataDir: folder.path, port: 0, policy: 'allkeys-lru' })
    const env = { ...fixture.environment.env, REDIS_CACHE_URL: cache.url }
    const policies = { read: few(5), handoff: { name: 'handoff', limit: 20, periodSeconds: 60 } }
    await using service = await startConsumer({ env }, { policies })
    try {
      const guest = await createGuest(url)
      const other = await createGuest(url)
      expect((await handOff(service.url, guest.cookie)).status).toBe(201)
      await cache.kill()
      const rejected = await handOff(service.url, guest.cookie)
      expect(codeOf(rejected)).toEqual([503, 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'])
      const responses = await sendAlternating([service.url], 8, () => ({ cookie: other.cookie }))
      expect(allowedOf(responses)).toBe(5)
      await cache.restart()
      await expect
        .poll(async () => (await handOff(service.url, guest.cookie)).status, {
          timeout: 10_000,
        })
        .toBe(201)
    } finally {
      await cache.stop()
    }
  })
})
