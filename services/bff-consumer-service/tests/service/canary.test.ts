import { freePort } from '@melmastoon/one-machine'
import {
  Canaries,
  eventually,
  expectValidEvents,
  type SpawnedProcess,
  spawnProcess,
  startTraceCollector,
  type TraceCollector,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../harness/fake-upstreams/index.ts'
import { stayRequest } from '../harness/handoff-client.ts'
import {
  consumerEnvironment,
  contracts,
  cookieOf,
  searchRequest,
  type TestEnvironment,
} from '../harness/start-consumer.ts'
import { send } from '../harness/wishlist-client.ts'

/**
 * A client that puts canaries into every input calls every route, with valid and invalid
 * requests; then all outputs of the service are searched for them (SEC-L01).
 */
const ENTRY = new URL('../../src/main.ts', import.meta.url)
const canaries = new Canaries()
const word = (place: string) => canaries.plant(place)

let upstreams: FakeUpstreams
let environment: TestEnvironment
let post: TraceCollector
let child: SpawnedProcess
let url: string
let metrics: string
let statuses: Record<string, number>

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  environment = await consumerEnvironment(upstreams)
  post = await startTraceCollector()
  const port = await freePort()
  const internalPort = await freePort()
  url = `http://127.0.0.1:${port}`
  child = spawnProcess(ENTRY, {
    env: {
      ...environment.env,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      LOG_LEVEL: 'debug',
      TRUST_PROXY_HOPS: '1',
      OTLP_URL: post.url,
      TRACE_SAMPLE_RATIO: '1',
    },
  })
  await eventually(
    async () => {
      const { status } = await fetch(`${url}/health/ready`)
      if (status !== 200) throw new Error(`not ready: ${status}`)
    },
    { timeoutMs: 50_000 },
  )
  statuses = await visitEverything()
  metrics = await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text()
  await child.kill('SIGTERM')
})
afterAll(async () => {
  await child[Symbol.asyncDispose]()
  await post[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
  await upstreams[Symbol.asyncDispose]()
})

/** The headers of every request. */
function everyHeader() {
  return {
    'user-agent': `Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/140.0 ${word('user agent')}`,
    'x-forwarded-for': canaries.place('address', '203.0.113.177'),
    referer: `https://example.com/${word('referer')}`,
    'accept-language': `en, ${word('language')};q=0.1`,
    authorization: `Bearer ${word('authorization')}`,
    'x-campaign-source': word('campaign source'),
    'x-campaign-medium': `${word('invalid campaign')}@example.com`,
    'x-request-id': word('request id'),
    tracestate: `vendor=${word('trace state')}`,
    baggage: `who=${word('baggage')}`,
    'sec-ch-ua': `"${word('client hint')}"`,
    'x-recaptcha-token': word('captcha'),
    'x-unknown': word('unknown header'),
  }
}

async function visitEverything(): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  let cookie = `other=${word('foreign cookie')}`
  let nth = 0
  const sendRequest = async (method: string, path: string, json?: unknown) => {
    nth += 1
    const key = `${word('idempotency key')}-${nth}`
    const headers = { ...everyHeader(), cookie }
    const response = await send(url, [method, path], {
      key,
      headers,
      ...(json !== undefined && { json }),
    })
    statuses[`${method} ${path.split('?')[0]}`] = response.status
    return response
  }
  const [hotel] = upstreams.hotels
  if (hotel === undefined) throw new TypeError('no hotels')
  const { propertyId, tenantId } = hotel

  const started = await sendRequest('POST', '/session', { device: { screen: '1111x2222' } })
  cookie = `${cookie}; ${cookieOf(started)}`
  canaries.place('cookie secret', cookieOf(started).split('.')[2] ?? 'no cookie')
  await sendRequest('POST', '/session', { device: { timeZone: word('time zone') } })
  await sendRequest('POST', '/session/locale', { locale: word('locale') })
  await sendRequest('POST', '/session/locale', { locale: 'ps-AF' })
  await sendRequest('POST', '/session/currency', { currency: word('currency').slice(0, 8) })
  await sendRequest('POST', '/session/currency', { currency: 'EUR' })

  const unknown = { amenities: [word('amenity')] }
  await sendRequest('POST', '/search', searchRequest({ filters: unknown }))
  const filters = { neighbourhoods: [word('neighbourhood')] }
  await sendRequest(
    'POST',
    '/search',
    searchRequest({ geo: { mode: 'city', city: word('city') }, filters }),
  )
  await sendRequest('POST', '/search', searchRequest({ cursor: word('cursor') }))
  await sendRequest('POST', '/search', searchRequest({ [word('unknown member')]: 1 }))
  await sendRequest(
    'POST',
    '/search/map',
    searchRequest({ geo: { mode: 'city', city: word('map city') } }),
  )
  await sendRequest('GET', `/suggest?q=${word('typed')}`)
  await sendRequest('GET', `/facets?${word('query name')}=${word('query')}`)
  await sendRequest('GET', `/hotels/${propertyId}`)
  await sendRequest('GET', `/hotels/${word('path')}`)
  await sendRequest('GET', `/hotels/${propertyId}/availability?from=${word('date')}`)
  await sendRequest('GET', `/${word('unknown path')}?q=${word('unknown path query')}`)

  await sendRequest('POST', '/wishlist', { propertyId, source: 'list', note: word('note') })
  await sendRequest('GET', '/wishlist')
  await sendRequest('DELETE', `/wishlist/${upstreams.hotels[1]?.propertyId}`)
  await sendRequest('GET', `/compare?ids=${propertyId},${word('compared')}`)
  await sendRequest(
    'POST',
    `/handoff/${tenantId}/${propertyId}`,
    stayRequest({ [word('stay member')]: 1 }),
  )
  await sendRequest('POST', `/handoff/${tenantId}/${propertyId}`, stayRequest())

  const referer = `https://user:${word('password')}@example.com/${word('referer path')}?${word('referer query')}`
  const click = { path: '/search', propertyId, source: 'search-list', position: 1, referer }
  await sendRequest('POST', '/telemetry/page-view', { path: `/search?q=${word('page query')}` })
  await sendRequest('POST', '/telemetry/page-view', click)
  await sendRequest('POST', '/telemetry/funnel', { step: word('step') })
  await sendRequest('POST', '/telemetry/funnel', {
    step: 'map.opened',
    metadata: { zoom: word('zoom') },
  })
  await sendRequest('POST', '/telemetry/funnel', { step: 'map.opened', metadata: { zoom: 7 } })
  await sendRequest('GET', '/recently-viewed')
  await sendRequest('POST', '/session/clear', { [word('clear member')]: 1 })
  return statuses
}

async function rowsOf(table: string): Promise<string> {
  const rows = await environment.query<{ row: string }>(
    `select to_jsonb(t)::text as row from bff_consumer.${table} t`,
  )
  return rows.map(({ row }) => row).join('\n')
}

/** The places where a value may be stored, and why. */
const ALLOWED: Record<string, readonly string[]> = {
  // The envelope's attribution contains the names of the campaign.
  outbox: ['campaign source'],
  outbox_published: ['campaign source'],
  // The campaign is part of the handoff (domain model §2.4).
  handoff_replay_log: ['campaign source'],
  // The note of a wish is stored for the guest; its response is replayed for a day (D8).
  wishlist_anonymous: ['note'],
  idempotency: ['note'],
}

describe('SEC-L01 the input of a guest', () => {
  it('was sent to every route and accepted where it is valid', () => {
    const taken = Object.values(statuses).filter((status) => status < 300)
    expect(taken.length).toBeGreaterThan(10)
    expect(canaries.places.length).toBeGreaterThan(40)
    expect(Object.entries(statuses).filter(([, status]) => status === 500)).toEqual([])
  })

  it('is in no log', () => {
    expect(child.lines.length).toBeGreaterThan(5)
    expect(canaries.findIn(child.lines.join('\n'))).toEqual([])
  })

  it('is in no metric', () => {
    expect(metrics).toContain('bff_consumer_telemetry_events_total')
    expect(canaries.findIn(metrics)).toEqual([])
  })

  it('is in no trace', () => {
    const traces = post.received.join('\n')
    expect(traces.includes('search search.click')).toBe(true)
    expect(canaries.findIn(traces)).toEqual([])
  })

  it('is in no event or table except the allowed ones', async () => {
    await expectValidEvents(environment.adminUrl, contracts)
    const tables = await environment.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'bff_consumer'",
    )
    const leaks: Record<string, string[]> = {}
    const stayed = new Set<string>()
    for (const { name } of tables) {
      const found = canaries.findIn(await rowsOf(name))
      const leaked = found.filter((place) => !ALLOWED[name]?.includes(place))
      if (leaked.length > 0) leaks[name] = leaked
      for (const place of found) stayed.add(place)
    }
    expect(leaks).toEqual({})
    // Control: the search finds the allowed values.
    expect([...stayed]).toContain('campaign source')
  })
})
