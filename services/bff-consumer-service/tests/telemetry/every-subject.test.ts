import { expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registry } from '../../src/events/registry.ts'
import { aStay } from '../harness/handoff-client.ts'
import { namesOf, settle, tellAll, toldOf } from '../harness/published-events.ts'
import {
  aSearch,
  contracts,
  cookieOf,
  type Fixture,
  post,
  sessionIdOf,
  startFixture,
} from '../harness/start-consumer.ts'
import { send } from '../harness/wishlist-client.ts'

type Headers = Readonly<Record<string, string>>
type Subject = (typeof registry)['definitions'][number]['subject']
type Name = Subject extends `melmastoon.bff.consumer.${infer N}` ? N : never

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await tellAll(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const ask = (method: string, path: string, headers: Headers, json?: unknown) =>
  send(fixture.service.url, [method, path], { headers, ...(json !== undefined && { json }) })

function hotel() {
  const [first] = fixture.upstreams.hotels
  if (first === undefined) throw new TypeError('no hotels')
  return first
}

async function click(headers: Headers) {
  const { propertyId } = hotel()
  const json = { path: '/search', propertyId, source: 'search-list', position: 1 }
  return await ask('POST', '/telemetry/page-view', headers, json)
}

const wish = (headers: Headers) =>
  ask('POST', '/wishlist', headers, { propertyId: hotel().propertyId, source: 'list' })

/** What a guest does to be told of, for every subject there is: the compiler misses none. */
const DEEDS: Record<Name, (headers: Headers) => Promise<{ status: number }>> = {
  'session.started.v1': (headers) => ask('POST', '/session', headers, {}),
  'locale.changed.v1': (headers) => ask('POST', '/session/locale', headers, { locale: 'ps-AF' }),
  'currency.changed.v1': (headers) =>
    ask('POST', '/session/currency', headers, { currency: 'EUR' }),
  'search.executed.v1': (headers) => ask('POST', '/search', headers, aSearch()),
  'click.recorded.v1': click,
  'detail.viewed.v1': (headers) => ask('GET', `/hotels/${hotel().propertyId}`, headers),
  'page_view.recorded.v1': (headers) => ask('POST', '/telemetry/page-view', headers, { path: '/' }),
  'funnel_step.recorded.v1': (headers) =>
    ask('POST', '/telemetry/funnel', headers, { step: 'map.opened' }),
  'wishlist.added.v1': wish,
  async 'wishlist.removed.v1'(headers) {
    await wish(headers)
    return await ask('DELETE', `/wishlist/${hotel().propertyId}`, headers)
  },
  'handoff.initiated.v1': (headers) =>
    ask('POST', `/handoff/${hotel().tenantId}/${hotel().propertyId}`, headers, aStay()),
  'bot_suspected.v1': (headers) =>
    ask('POST', '/search', { ...headers, 'user-agent': 'HeadlessChrome/120' }, aSearch()),
}

const BEGINNING = 'session.started.v1'
const OFF = { consent: { telemetry: false } }

interface Wishes {
  /** For the session, when it begins. */
  readonly json?: object
  /** For the request. */
  readonly headers?: Headers
}

async function toldAfter(name: Name, { json = {}, headers = {} }: Wishes): Promise<string[]> {
  const isBeginning = name === BEGINNING
  const began = await post(fixture.service.url, '/session', {
    json,
    ...(isBeginning && { headers }),
  })
  const cookie = cookieOf(began)
  if (isBeginning) return namesOf(await toldOf(fixture, sessionIdOf(cookie)))
  const { status } = await DEEDS[name]({ cookie, ...headers })
  expect(status < 300 || (name === 'bot_suspected.v1' && status === 429), `${status}`).toBe(true)
  const told = namesOf(await toldOf(fixture, sessionIdOf(cookie)))
  return told.filter((each) => each !== BEGINNING)
}

const names = namesOf(registry.definitions) as Name[]

describe.each(names)('C8 %s', (name) => {
  it('is told with consent', async () => {
    expect(await toldAfter(name, {})).toContain(name)
  })

  it.each([
    ['consent is off', { json: OFF }],
    ['the request says DNT', { headers: { dnt: '1' } }],
    ['the request says Sec-GPC', { headers: { 'sec-gpc': '1' } }],
  ])('is not told when %s, and neither is anything else', async (_when, wishes) => {
    expect(await toldAfter(name, wishes)).toEqual([])
  })
})

it('tells nothing but what its contracts allow', async () => {
  await settle(fixture)
  const events = await expectValidEvents(fixture.environment.adminUrl, contracts)
  const subjects = new Set(namesOf(events.map(({ envelope }) => envelope)))
  expect([...subjects].sort()).toEqual([...names].sort())
})
