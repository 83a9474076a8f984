import { createTestClock, type TestClock } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  aSearch,
  createGuest,
  dayFromNow,
  type Fixture,
  post,
  sectionsOf,
  startFixture,
  type TestResponse,
} from '../harness/start-consumer.ts'

const MINUTE_MS = 60_000
const CROWD = 300
const PATIENTLY = { timeout: 10_000, interval: 60 }

let clock: TestClock
let fixture: Fixture
/** The same one each time: a crowd that begins sessions, too, would be out of breath by that. */
let guest: { readonly cookie: string }

beforeAll(async () => {
  clock = createTestClock(new Date())
  fixture = await startFixture({ clock })
  fixture.upstreams.capturedAt = () => clock.now().toISOString()
  guest = { cookie: (await createGuest(fixture.service.url)).cookie }
})
afterAll(() => fixture[Symbol.asyncDispose]())
afterEach(async () => {
  fixture.upstreams.mend()
  await isWell()
})

let asked = 0
/** Another one each time. */
function question() {
  asked += 1
  const today = clock.nowMs()
  const checkIn = dayFromNow(2 + Math.floor(asked / 28), today)
  const checkOut = dayFromNow(3 + Math.floor(asked / 28) + (asked % 28), today)
  return aSearch({ dates: { checkIn, checkOut } })
}

const search = (json: unknown) => post(fixture.service.url, '/search', { json, headers: guest })
const crowd = (json: unknown) => Promise.all(Array.from({ length: CROWD }, () => search(json)))
const told = ({ status, body }: TestResponse) => [status, body['code']]
const UNAVAILABLE = [503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE']

async function breakerState() {
  const text = await (await fetch(`${fixture.service.internalUrl}/metrics`)).text()
  return text.match(/bff_consumer_circuit_breaker_state\{upstream="search"\} (\d)/)?.[1]
}

/** A breaker that a test opened is closed again for the next one. */
async function isWell() {
  await expect.poll(async () => (await search(question())).status, PATIENTLY).toBe(200)
}

/** Enough failures in a row, each of a question of its own. */
async function openBreaker() {
  fixture.upstreams.behaviour.search.mood = 'down'
  await expect
    .poll(async () => {
      await search(question())
      return breakerState()
    }, PATIENTLY)
    .toBe('2')
}

describe('C11 F-1 with search down', () => {
  it('cached pages are served for ten minutes, marked as stale, and then an error with a code', async () => {
    const known = question()
    await search(known)
    fixture.upstreams.behaviour.search.mood = 'down'
    for (const minutes of [2, 3, 4]) {
      clock.advance(minutes * MINUTE_MS)
      const old = await search(known)
      expect([old.status, old.headers.get('x-cache')]).toEqual([200, 'STALE'])
      expect(old.body['degraded']).toBe(true)
      expect(sectionsOf(old)).toMatchObject({ listings: 'stale', prices: 'stale' })
    }
    clock.advance(3 * MINUTE_MS)
    const gone = await search(known)
    expect(told(gone)).toEqual(UNAVAILABLE)
    expect(gone.headers.get('content-type')).toContain('application/problem+json')
    expect(gone.headers.get('cache-control')).toBe('no-store')
  })

  it('the breaker opens, so that no request waits and the search service gets no calls', async () => {
    await openBreaker()
    const before = fixture.upstreams.count('search')
    const answers = await Promise.all(Array.from({ length: CROWD }, () => search(question())))
    expect(new Set(answers.map((answer) => String(told(answer))))).toEqual(
      new Set([String(UNAVAILABLE)]),
    )
    // At most a probe or two found their way while the crowd was refused.
    expect(fixture.upstreams.count('search') - before).toBeLessThan(CROWD / 10)
  })

  it('after the recovery one probe closes the breaker, and concurrent requests cause one call', async () => {
    await openBreaker()
    fixture.upstreams.mend()
    await isWell()
    expect(await breakerState()).toBe('0')

    const wanted = question()
    const before = fixture.upstreams.count('search')
    fixture.upstreams.behaviour.search.delayMs = 50
    const answers = await crowd(wanted)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(fixture.upstreams.count('search') - before).toBe(1)
  })

  it('concurrent requests for a stale page cause one call and do not wait for it', async () => {
    const known = question()
    await search(known)
    fixture.upstreams.behaviour.search.mood = 'down'
    clock.advance(5 * MINUTE_MS)
    await crowd(known)
    fixture.upstreams.mend()
    await isWell()
    // A second after a failure the page may ask again.
    clock.advance(1_001)
    const before = fixture.upstreams.count('search')
    const answers = await crowd(known)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const stateOf = async () => (await search(known)).headers.get('x-cache')
    await expect.poll(stateOf, PATIENTLY).toBe('HIT')
    expect(fixture.upstreams.count('search') - before).toBe(1)
  })
})
