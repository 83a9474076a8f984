import { expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registry } from '../../src/events/registry.ts'
import { stayRequest } from '../harness/handoff-client.ts'
import {
  disableSampling,
  eventNames,
  finishBackgroundWork,
  publishedEvents,
} from '../harness/published-events.ts'
import {
  contracts,
  cookieOf,
  type Fixture,
  post,
  searchRequest,
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
  await disableSampling(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const sendRequest = (method: string, path: string, headers: Headers, json?: unknown) =>
  send(fixture.service.url, [method, path], { headers, ...(json !== undefined && { json }) })

function hotel() {
  const [first] = fixture.upstreams.hotels
  if (first === undefined) throw new TypeError('no hotels')
  return first
}

async function click(headers: Headers) {
  const { propertyId } = hotel()
  const json = { path: '/search', propertyId, source: 'search-list', position: 1 }
  return await sendRequest('POST', '/telemetry/page-view', headers, json)
}

const wish = (headers: Headers) =>
  sendRequest('POST', '/wishlist', headers, { propertyId: hotel().propertyId, source: 'list' })

/** The action that causes each event; the type requires one for every subject. */
const ACTIONS: Record<Name, (headers: Headers) => Promise<{ status: number }>> = {
  'session.started.v1': (headers) => sendRequest('POST', '/session', headers, {}),
  'locale.changed.v1': (headers) =>
    sendRequest('POST', '/session/locale', headers, { locale: 'ps-AF' }),
  'currency.changed.v1': (headers) =>
    sendRequest('POST', '/session/currency', headers, { currency: 'EUR' }),
  'search.executed.v1': (headers) => sendRequest('POST', '/search', headers, searchRequest()),
  'click.recorded.v1': click,
  'detail.viewed.v1': (headers) => sendRequest('GET', `/hotels/${hotel().propertyId}`, headers),
  'page_view.recorded.v1': (headers) =>
    sendRequest('POST', '/telemetry/page-view', headers, { path: '/' }),
  'funnel_step.recorded.v1': (headers) =>
    sendRequest('POST', '/telemetry/funnel', headers, { step: 'map.opened' }),
  'wishlist.added.v1': wish,
  async 'wishlist.removed.v1'(headers) {
    await wish(headers)
    return await sendRequest('DELETE', `/wishlist/${hotel().propertyId}`, headers)
  },
  'handoff.initiated.v1': (headers) =>
    sendRequest(
      'POST',
      `/handoff/${hotel().tenantId}/${hotel().propertyId}`,
      headers,
      stayRequest(),
    ),
  'bot_suspected.v1': (headers) =>
    sendRequest(
      'POST',
      '/search',
      { ...headers, 'user-agent': 'HeadlessChrome/120' },
      searchRequest(),
    ),
}

const SESSION_STARTED = 'session.started.v1'
const OFF = { consent: { telemetry: false } }

interface Preferences {
  /** Body of the request that starts the session. */
  readonly json?: object
  /** Headers of every request. */
  readonly headers?: Headers
}

async function eventsAfter(
  name: Name,
  { json = {}, headers = {} }: Preferences,
): Promise<string[]> {
  const isBeginning = name === SESSION_STARTED
  const started = await post(fixture.service.url, '/session', {
    json,
    ...(isBeginning && { headers }),
  })
  const cookie = cookieOf(started)
  if (isBeginning) return eventNames(await publishedEvents(fixture, sessionIdOf(cookie)))
  const { status } = await ACTIONS[name]({ cookie, ...headers })
  expect(status < 300 || (name === 'bot_suspected.v1' && status === 429), `${status}`).toBe(true)
  const events = eventNames(await publishedEvents(fixture, sessionIdOf(cookie)))
  return events.filter((each) => each !== SESSION_STARTED)
}

const names = eventNames(registry.definitions) as Name[]

describe.each(names)('C8 %s', (name) => {
  it('is published with consent', async () => {
    expect(await eventsAfter(name, {})).toContain(name)
  })

  it.each([
    ['consent is off', { json: OFF }],
    ['the request has DNT', { headers: { dnt: '1' } }],
    ['the request has Sec-GPC', { headers: { 'sec-gpc': '1' } }],
  ])('is not published when %s, nor is any other event', async (_when, preferences) => {
    expect(await eventsAfter(name, preferences)).toEqual([])
  })
})

it('publishes only events that match their contracts', async () => {
  await finishBackgroundWork(fixture)
  const events = await expectValidEvents(fixture.environment.adminUrl, contracts)
  const subjects = new Set(eventNames(events.map(({ envelope }) => envelope)))
  expect([...subjects].sort()).toEqual([...names].sort())
})
