import { type BroadcastProxy, startBroadcastProxy, type TestResponse } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bookingEnvironment } from '../harness/booking-environment.ts'
import type { Guest } from '../harness/site.ts'
import {
  type Booking,
  OTHER_SLUG,
  type RunningBooking,
  startWithSandbox,
} from '../harness/start-booking.ts'

/**
 * Two processes that send ready responses, and learn of changes by broadcasts and events. Their
 * broadcasts can be cut off.
 */
let booking: Booking
let other: RunningBooking
let broadcasts: BroadcastProxy

beforeAll(async () => {
  const environment = await bookingEnvironment()
  broadcasts = await startBroadcastProxy(environment.redis.sessionUrl)
  booking = await startWithSandbox({ environment, env: { REDIS_SESSION_URL: broadcasts.url } })
  other = await booking.startAnother()
})
afterEach(() => broadcasts.restore())
afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await broadcasts[Symbol.asyncDispose]()
  await booking[Symbol.asyncDispose]()
})

/** Although sessions are cached for a minute, and sites for an hour. */
const WITHIN_A_SECOND = { timeout: 1_000, interval: 10 }
/** The two seconds of `docs/sessions.md` and of the architecture, and a request that ends them. */
const WITHOUT_BROADCASTS = { timeout: 2_200, interval: 10 }
const BOTH = ['with broadcasts', WITHIN_A_SECOND, 'pass'] as const
const NONE = ['with broadcasts cut off', WITHOUT_BROADCASTS, 'cut off'] as const

/** Sends until the response is ready, so that it is known not to come from anywhere else. */
async function untilReady(
  { app }: RunningBooking,
  send: () => Promise<TestResponse>,
): Promise<TestResponse> {
  for (let turn = 0; turn < 20; turn += 1) {
    const { sent } = app.fastPath
    const response = await send()
    if (app.fastPath.sent > sent) return response
  }
  throw new Error('the response is never ready')
}

/** The same guest at the other process. */
const atOther = (guest: Guest) => guest.at({ url: other.url })
const bootstrap = (guest: Guest) => () => atOther(guest).get('/bootstrap')
const sessionIdOf = ({ sessionId }: Guest) =>
  sessionId as Parameters<RunningBooking['ctx']['sessions']['clear']>[0]

describe('a session that was cleared', () => {
  it.each([BOTH, NONE])('is rejected by another process: %s', async (_how, within, mode) => {
    const guest = await booking.site.guest()
    await untilReady(other, bootstrap(guest))
    const cookies = new Map(guest.cookies)
    if (mode === 'cut off') broadcasts.cutOff()
    await booking.service.ctx.sessions.clear(sessionIdOf(guest))
    const started = async () => (await bootstrap(guest)()).headers.get('set-cookie')
    await expect.poll(started, within).toMatch(/^__Host-tnt_id-creek-pearl=tnt_session_/)
    for (const [name, value] of cookies) guest.cookies.set(name, value)
    const { status } = await atOther(guest).post('/session/locale', { locale: 'ps-AF' })
    expect(status).toBe(401)
  })

  it('control: without the clearing its bootstrap stays ready, and sets no cookie', async () => {
    const guest = await booking.site.guest()
    for (let turn = 0; turn < 2; turn += 1) {
      const { headers } = await untilReady(other, bootstrap(guest))
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('control: with broadcasts cut off its copy is used at first', async () => {
    const guest = await booking.site.guest()
    await untilReady(other, bootstrap(guest))
    broadcasts.cutOff()
    await booking.service.ctx.sessions.clear(sessionIdOf(guest))
    expect((await untilReady(other, bootstrap(guest))).headers.get('set-cookie')).toBeNull()
  })
})

describe('a change of a session', () => {
  it('applies to the ready responses of another process', async () => {
    const guest = await booking.site.guest()
    const language = async () => (await bootstrap(guest)()).headers.get('content-language')
    await untilReady(other, bootstrap(guest))
    expect(await language()).not.toBe('ps-AF')
    expect((await guest.post('/session/locale', { locale: 'ps-AF' })).status).toBe(200)
    await expect.poll(language, WITHIN_A_SECOND).toBe('ps-AF')
  })
})

describe('the site of a suspended hotel', () => {
  const statuses = async () => {
    const sites = [booking.otherSite, booking.otherSite.at(other.url)]
    const requests = sites.flatMap((site) =>
      (['path', 'host'] as const).map((address) => site.browser(address).get('/bootstrap')),
    )
    return new Set((await Promise.all(requests)).map(({ status }) => status))
  }

  it.each([BOTH, NONE])('is unavailable at all processes: %s', async (_how, within, mode) => {
    const { tenantId } = await booking.platform.tenant(OTHER_SLUG)
    for (const service of [booking.service, other]) {
      const browser = booking.otherSite.at(service.url).browser()
      await untilReady(service, () => browser.get('/bootstrap'))
    }
    if (mode === 'cut off') broadcasts.cutOff()
    await booking.platform.suspend(tenantId)
    await expect.poll(statuses, within).toEqual(new Set([503]))
    await booking.platform.reactivate(tenantId)
    await expect.poll(statuses, within).toEqual(new Set([200]))
  })
})
