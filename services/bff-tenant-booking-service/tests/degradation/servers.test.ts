import { newId } from '@melmastoon/domain'
import { type DedicatedEnvironment, dedicatedEnvironment, eventually } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import { service } from '../../src/service.ts'
import { draftOf, expectView, hold, quoteOf, withDetails } from '../harness/booking-flow.ts'
import { createSite, type Guest, type Site } from '../harness/site.ts'
import {
  type Booking,
  type RunningBooking,
  SLUG,
  startBooking,
  startWithSandbox,
} from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'
import { comeBack, confirm, pressOnPage, startPayment } from '../payments/checkout.ts'

const HOLD_DEADLINE_MS = 6_000

let booking: Booking
let servers: DedicatedEnvironment
let running: RunningBooking
let hotel: PropertyDetail
let site: Site
/** With a session since before anything failed. */
let guest: Guest

beforeAll(async () => {
  booking = await startWithSandbox()
  const own = Object.entries(booking.env).filter(([name]) => !/^(DATABASE|REDIS)_.*URL$/.test(name))
  servers = await dedicatedEnvironment(service, Object.fromEntries(own))
  running = await startBooking(servers)
  hotel = await hotelOf(booking, SLUG)
  site = createSite(running.url, SLUG)
  guest = await site.guest()
})
afterAll(async () => {
  await running[Symbol.asyncDispose]()
  await servers[Symbol.asyncDispose]()
  await booking[Symbol.asyncDispose]()
})

describe('Postgres is down', () => {
  it('T6 a hold is rejected in time, pages are served, and the same request continues later', async () => {
    const quote = await quoteOf(guest, hotel)
    const key = newId('req')
    await servers.postgres.kill()
    const rejected = await hold(guest, quote, { key })
    expect([rejected.status, rejected.body['retriable']]).toEqual([503, true])
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(rejected.durationMs).toBeLessThan(HOLD_DEADLINE_MS)
    const pages = await Promise.all([guest.get('/bootstrap'), guest.get('/policies')])
    expect(pages.map(({ status }) => status)).toEqual([200, 200])
    await servers.postgres.restart()
    await eventually(async () => void expectView(await hold(guest, quote, { key }), 201), {
      timeoutMs: 20_000,
      intervalMs: 200,
    })
  })
})

describe('D25 both Redis are down', () => {
  beforeAll(async () => {
    await Promise.all(servers.redisServers.map((server) => server.stop()))
  })

  it('a guest keeps the session, loads the site and finds requests', async () => {
    const loaded = await guest.get('/bootstrap')
    expect([loaded.status, loaded.headers.get('set-cookie')]).toEqual([200, null])
    const key = await guest.get('/idempotency/a-key-of-no-request')
    expect([key.status, key.body['code']]).toEqual([404, 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'])
    const changed = await guest.post('/session/locale', { locale: 'ps-AF' })
    expect([changed.status, changed.body['retriable']]).toEqual([503, true])
  })

  it('T8 a guest holds, pays by card, returns, confirms and sees the confirmation', async () => {
    const draft = await withDetails(guest, await draftOf(guest, hotel))
    const own = { guest, draftId: draft.draftId }
    const address = await pressOnPage(booking.sandbox.url, await startPayment(own, 'card'))
    await eventually(async () => {
      const returned = expectView<DraftVM>(await comeBack(own, address), 200)
      expect(returned.state).toBe('confirmed')
    })
    const { outcome } = expectView<DraftVM>(await confirm(own), 200)
    expect(outcome).toMatchObject({ reason: 'confirmed' })
    const confirmation = await guest.get(`/confirmation/${outcome?.reservationId}`)
    expect([confirmation.status, confirmation.body['status']]).toEqual([200, 'confirmed'])
  })
})
