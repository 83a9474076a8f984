import { createTestClock, type TestClock } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createGuest,
  dayFromNow,
  type Fixture,
  post,
  searchRequest,
  sectionsOf,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

const MINUTE_MS = 60_000
const CROWD = 300
const POLL_SLOWLY = { timeout: 10_000, interval: 60 }

let clock: TestClock
let fixture: Fixture
/** The same guest each time: starting a session per request would dominate the run time. */
let guest: { readonly cookie: string }

beforeAll(async () => {
  clock = createTestClock(new Date())
  fixture = await startFixture({ clock })
  fixture.upstreams.capturedAt = () => clock.now().toISOString()
  guest = { cookie: (await createGuest(fixture.service.url)).cookie }
})
afterAll(() => fixture[Symbol.asyncDispose]())
afterEach(async () => {
  fixture.upstreams.reset()
  await isRecovered()
})

let requestNumber = 0
/** A different search on every call. */
function request() {
  requestNumber += 1
  const today = clock.nowMs()
  const checkIn = dayFromNow(2 + Math.floor(requestNumber / 28), today)
  const checkOut = dayFromNow(3 + Math.floor(requestNumber / 28) + (requestNumber % 28), today)
  return searchRequest({ dates: { checkIn, checkOut } })
}

const search = (json: unknown) => post(fixture.service.url, '/search', { json, headers: guest })
const crowd = (json: unknown) => Promise.all(Array.from({ length: CROWD }, () => search(json)))
const outcomeOf = ({ status, body }: TestResponse) => [status, body['code']]
const UNAVAILABLE = [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE']

async function breakerState() {
  const text = await (await fetch(`${fixture.service.internalUrl}/metrics`)).text()
  return text.match(/bff_consumer_circuit_breaker_state\{upstream="search"\} (\d)/)?.[1]
}

/** Closes a breaker that a test opened before the next one. */
async function isRecovered() {
  await expect.poll(async () => (await search(request())).status, POLL_SLOWLY).toBe(200)
}

/** Enough consecutive failures, each of a different search. */
async function openBreaker() {
  fixture.upstreams.behaviour.search.mode = 'down'
  await expect
    .poll(async () => {
      await search(request())
      return breakerState()
    }, POLL_SLOWLY)
    .toBe('2')
}

describe('C11 F-1 with search down', () => {
  it('cached pages are served for ten minutes, marked as stale, and then an error with a code', async () => {
    const known = request()
    await search(known)
    fixture.upstreams.behaviour.search.mode = 'down'
    for (const minutes of [2, 3, 4]) {
      clock.advance(minutes * MINUTE_MS)
      const old = await search(known)
      expect([old.status, old.headers.get('x-cache')]).toEqual([200, 'STALE'])
      expect(old.body['degraded']).toBe(true)
      expect(sectionsOf(old)).toMatchObject({ listings: 'stale', prices: 'stale' })
    }
    clock.advance(3 * MINUTE_MS)
    const gone = await search(known)
    expect(outcomeOf(gone)).toEqual(UNAVAILABLE)
    expect(gone.headers.get('content-type')).toContain('application/problem+json')
    expect(gone.headers.get('cache-control')).toBe('no-store')
  })

  it('the breaker opens, so that no request waits and the search service gets no calls', async () => {
    await openBreaker()
    const before = fixture.upstreams.count('search')
    const responses = await Promise.all(Array.from({ length: CROWD }, () => search(request())))
    expect(new Set(responses.map((response) => String(outcomeOf(response))))).toEqual(
      new Set([String(UNAVAILABLE)]),
    )
    // At most one or two probes were sent while the other requests were rejected.
    expect(fixture.upstreams.count('search') - before).toBeLessThan(CROWD / 10)
  })

  it('after the recovery one probe closes the breaker, and concurrent requests cause one call', async () => {
    await openBreaker()
    fixture.upstreams.reset()
    await isRecovered()
    expect(await breakerState()).toBe('0')

    const wanted = request()
    const before = fixture.upstreams.count('search')
    fixture.upstreams.behaviour.search.delayMs = 50
    const responses = await crowd(wanted)
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    expect(fixture.upstreams.count('search') - before).toBe(1)
  })

  it('concurrent requests for a stale page cause one call and do not wait for it', async () => {
    const known = request()
    await search(known)
    fixture.upstreams.behaviour.search.mode = 'down'
    clock.advance(5 * MINUTE_MS)
    await crowd(known)
    fixture.upstreams.reset()
    await isRecovered()
    // A second after a failure the page may be requested again.
    clock.advance(1_001)
    const before = fixture.upstreams.count('search')
    const responses = await crowd(known)
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    const stateOf = async () => (await search(known)).headers.get('x-cache')
    await expect.poll(stateOf, POLL_SLOWLY).toBe('HIT')
    expect(fixture.upstreams.count('search') - before).toBe(1)
  })
})
