import { freePort } from '@melmastoon/one-machine'
import {
  eventually,
  expectValidEvents,
  type SpawnedProcess,
  spawnProcess,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstreams, startFakeUpstreams } from '../../harness/fake-upstreams/index.ts'
import { aStay } from '../../harness/handoff-client.ts'
import {
  aSearch,
  consumerEnvironment,
  contracts,
  cookieOf,
  type TestEnvironment,
} from '../../harness/start-consumer.ts'
import { send } from '../../harness/wishlist-client.ts'
import { Canaries } from './canaries.ts'
import { type ListeningPost, startListeningPost } from './trace-collector.ts'

/**
 * A guest whose every word is a canary visits every route, well and badly behaved; then the
 * service's outlets are searched for her words (SEC-L01).
 */
const ENTRY = new URL('../../../src/main.ts', import.meta.url)
const canaries = new Canaries()
const word = (place: string) => canaries.plant(place)

let upstreams: FakeUpstreams
let environment: TestEnvironment
let post: ListeningPost
let child: SpawnedProcess
let url: string
let metrics: string
let statuses: Record<string, number>

beforeAll(async () => {
  upstreams = await startFakeUpstreams()
  environment = await consumerEnvironment(upstreams)
  post = await startListeningPost()
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

/** What a request has besides what it asks. */
function everyHeader() {
  return {
    'user-agent': `Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/140.0 ${word('user agent')}`,
    'x-forwarded-for': canaries.place('address', '203.0.113.177'),
    referer: `https://example.com/${word('referer')}`,
    'accept-language': `en, ${word('language')};q=0.1`,
    authorization: `Bearer ${word('authorization')}`,
    'x-campaign-source': word('campaign source'),
    'x-campaign-medium': `${word('campaign that is none')}@example.com`,
    'x-request-id': word('request id'),
    tracestate: `vendor=${word('trace state')}`,
    baggage: `who=${word('baggage')}`,
    'sec-ch-ua': `"${word('client hint')}"`,
    'x-recaptcha-token': word('captcha'),
    'x-unknown': word('unknown header'),
  }
}

async function visitEverything(): Promise<Record<string, number>> {
  const answered: Record<string, number> = {}
  let cookie = `other=${word('foreign cookie')}`
  let nth = 0
  const ask = async (method: string, path: string, json?: unknown) => {
    nth += 1
    const key = `${word('idempotency key')}-${nth}`
    const headers = { ...everyHeader(), cookie }
    const answer = await send(url, [method, path], {
      key,
      headers,
      ...(json !== undefined && { json }),
    })
    answered[`${method} ${path.split('?')[0]}`] = answer.status
    return answer
  }
  const [hotel] = upstreams.hotels
  if (hotel === undefined) throw new TypeError('no hotels')
  const { propertyId, tenantId } = hotel

  const began = await ask('POST', '/session', { device: { screen: '1111x2222' } })
  cookie = `${cookie}; ${cookieOf(began)}`
  canaries.place('cookie secret', cookieOf(began).split('.')[1] ?? 'no cookie')
  await ask('POST', '/session', { device: { timeZone: word('time zone') } })
  await ask('POST', '/session/locale', { locale: word('locale') })
  await ask('POST', '/session/locale', { locale: 'ps-AF' })
  await ask('POST', '/session/currency', { currency: word('currency').slice(0, 8) })
  await ask('POST', '/session/currency', { currency: 'EUR' })

  const filters = { amenities: [word('amenity')], neighbourhoods: [word('neighbourhood')] }
  await ask('POST', '/search', aSearch({ geo: { mode: 'city', city: word('city') }, filters }))
  await ask('POST', '/search', aSearch({ cursor: word('cursor') }))
  await ask('POST', '/search', aSearch({ [word('unknown member')]: 1 }))
  await ask('POST', '/search/map', aSearch({ geo: { mode: 'city', city: word('map city') } }))
  await ask('GET', `/suggest?q=${word('typed')}`)
  await ask('GET', `/facets?${word('query name')}=${word('query')}`)
  await ask('GET', `/hotels/${propertyId}`)
  await ask('GET', `/hotels/${word('path')}`)
  await ask('GET', `/hotels/${propertyId}/availability?from=${word('date')}`)
  await ask('GET', `/${word('unknown path')}?q=${word('query of it')}`)

  await ask('POST', '/wishlist', { propertyId, source: 'list', note: word('note') })
  await ask('GET', '/wishlist')
  await ask('DELETE', `/wishlist/${upstreams.hotels[1]?.propertyId}`)
  await ask('GET', `/compare?ids=${propertyId},${word('compared')}`)
  await ask('POST', `/handoff/${tenantId}/${propertyId}`, aStay({ [word('stay member')]: 1 }))
  await ask('POST', `/handoff/${tenantId}/${propertyId}`, aStay())

  const referer = `https://user:${word('password')}@example.com/${word('referer path')}?${word('referer query')}`
  const click = { path: '/search', propertyId, source: 'search-list', position: 1, referer }
  await ask('POST', '/telemetry/page-view', { path: `/search?q=${word('page query')}` })
  await ask('POST', '/telemetry/page-view', click)
  await ask('POST', '/telemetry/funnel', { step: word('step') })
  await ask('POST', '/telemetry/funnel', { step: 'map.opened', metadata: { zoom: word('zoom') } })
  await ask('POST', '/telemetry/funnel', { step: 'map.opened', metadata: { zoom: 7 } })
  await ask('GET', '/recently-viewed')
  await ask('POST', '/session/clear', { [word('clear member')]: 1 })
  return answered
}

async function rowsOf(table: string): Promise<string> {
  const rows = await environment.query<{ row: string }>(
    `select to_jsonb(t)::text as row from bff_consumer.${table} t`,
  )
  return rows.map(({ row }) => row).join('\n')
}

/** Where a word may stay, and why. */
const ALLOWED: Record<string, readonly string[]> = {
  // The envelope's attribution is made of campaigns' names.
  outbox: ['campaign source'],
  outbox_published: ['campaign source'],
  // The campaign travels with the handoff (domain model §2.4).
  handoff_replay_log: ['campaign source'],
  // It is hers, and kept for her; the answer that has it is repeated for a day (D8).
  wishlist_anonymous: ['note'],
  idempotency: ['note'],
}

describe('SEC-L01 what a guest sends', () => {
  it('was sent to every route, and taken where it may be', () => {
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
    const traces = post.heard.join('\n')
    expect(traces.includes('search search.click')).toBe(true)
    expect(canaries.findIn(traces)).toEqual([])
  })

  it('is in no event but where it belongs, and in no other table', async () => {
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
    // The search itself finds what is there.
    expect([...stayed]).toContain('campaign source')
  })
})
