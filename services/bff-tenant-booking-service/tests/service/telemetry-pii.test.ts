import { newId } from '@melmastoon/domain'
import {
  Canaries,
  createBrowser,
  eventually,
  expectClosedEvents,
  send,
  spawnObserved,
  type TraceCollector,
  textsOfPostgres,
  textsOfRedis,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import type { QuoteVM } from '../../src/quotes/quote-view.ts'
import { contracts } from '../harness/booking-environment.ts'
import { expectView, OCCUPANCY, roomTypeOf } from '../harness/booking-flow.ts'
import { mintToken } from '../harness/handoff-token.ts'
import { eventsOf } from '../harness/outbox-events.ts'
import { addressed } from '../harness/site.ts'
import { type Booking, PATIENT, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf, staysWithRooms, whileBroken } from '../harness/stays.ts'

/**
 * A guest with canaries in every input books a room, with valid and invalid requests at every step;
 * then all outputs of the service are searched for them (SEC-L01).
 */
const canaries = new Canaries()
const word = (place: string) => canaries.plant(place)

/** The process with readable logs has the usual time limits, which a busy machine may exceed. */
const STEP_MS = 15_000

let booking: Booking
let hotel: Awaited<ReturnType<typeof hotelOf>>
let traces: TraceCollector
let logs: readonly string[]
let metrics: string
const statuses: Record<string, number> = {}
/** Of problems. */
const problems: string[] = []

beforeAll(async () => {
  booking = await startWithSandbox({ overrides: { upstreamMs: PATIENT } })
  hotel = await hotelOf(booking, SLUG)
  await booking.platform.configure(hotel.tenantId, {
    paymentMethods: ['cash_on_arrival', 'mobile_money'],
    paymentEnabled: true,
  })
  const { child, ...observed } = await spawnObserved(booking)
  await using _ended = child
  traces = observed.traces
  // A process of its own writes logs and traces, the one of the test has readable metrics.
  await visitEverything(child.url)
  await visitEverything(booking.service.url)
  metrics = (await send(booking.service.internalUrl, 'GET', '/metrics')).text
  await child.kill('SIGTERM')
  logs = child.lines
  await eventsOf(booking, 'none')
}, 120_000)
afterAll(async () => {
  await traces[Symbol.asyncDispose]()
  await booking[Symbol.asyncDispose]()
})

/** The headers of every request. */
const everyHeader = () => ({
  'user-agent': `Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/140.0 ${word('user agent')}`,
  'x-forwarded-for': canaries.place('address', '203.0.113.177'),
  referer: `https://example.com/${word('referer')}`,
  'accept-language': `en, ${word('language')};q=0.1`,
  authorization: `Bearer ${word('authorization')}`,
  'x-request-id': word('request id'),
  tracestate: `vendor=${word('trace state')}`,
  baggage: `who=${word('baggage')}`,
  'sec-ch-ua': `"${word('client hint')}"`,
  'x-client-surface': word('surface'),
  'x-unknown': word('unknown header'),
})

const details = () => ({
  fullName: canaries.place('name', 'Canarina Featherstonehaugh'),
  email: canaries.place('e-mail', 'canarina.f@example.com'),
  phone: canaries.place('phone', '+93794242424'),
  specialRequests: word('special requests'),
  termsAccepted: true,
})

async function visitEverything(url: string): Promise<void> {
  const { base } = addressed(SLUG, 'path')
  const guest = createBrowser({ url, base, headers: everyHeader() })
  guest.cookies.set('other', word('foreign cookie'))
  let nth = 0
  const newKey = () => `${word('idempotency key')}-${nth}-${newId('req')}`
  const call = async (method: string, path: string, json?: unknown, more = {}, key = newKey()) => {
    nth += 1
    const response = await guest.send(method, path, {
      ...(method !== 'GET' && { key }),
      ...(json !== undefined && { json }),
      headers: more,
    })
    statuses[`${nth} ${method} ${path.split('?')[0]}`] = response.status
    if (response.status >= 400) problems.push(response.text)
    return response
  }
  /** A step of the booking: as clients do, it is repeated while a dependency is too slow. */
  const step = async (expected: number, method: string, path: string, json?: unknown) => {
    const key = newKey()
    const succeed = async () => {
      const response = await call(method, path, json, {}, key)
      expectView(response, expected)
      return response
    }
    return await eventually(succeed, { timeoutMs: STEP_MS, intervalMs: 250 })
  }
  await call('GET', `/bootstrap?h=${word('forged handoff')}`)
  await call('GET', `/bootstrap?locale=${word('query locale')}`)
  await call('GET', '/bootstrap', undefined, { 'x-handoff-token': word('handoff header') })
  canaries.place('cookie secret', secretOf([...guest.cookies.values()]))
  await call('POST', '/session/locale', { locale: word('locale') })
  await call('POST', '/session/locale', { locale: 'ps-AF' })
  await call('POST', '/session/currency', { currency: word('currency').slice(0, 8) })
  await call('POST', '/session/consent', { [word('member')]: true })
  const token = mintToken(hotel)
  canaries.place('handoff token', token.slice(-40))
  await call('POST', '/handoff/consume', { token: `${word('token')}${token}` })
  const arrival = await step(200, 'POST', '/handoff/consume', { token })
  const { handoffArrivalId } = arrival.body as { handoffArrivalId: string }

  // One for the hold whose response is not understood, one for the booking.
  const roomTypeId = roomTypeOf(hotel)
  const [stay] = await staysWithRooms(booking, hotel, { roomTypeId, rooms: 2 })
  if (stay === undefined) throw new Error('the hotel is sold out')
  const query = new URLSearchParams({ ...stay, adults: '2', propertyId: hotel.propertyId })
  await call('GET', `/availability?${query.toString()}`)
  await call('GET', `/availability?${query.toString()}&${word('query name')}=${word('query')}`)
  await call('GET', `/availability?checkIn=${word('date')}`)
  await call('GET', '/policies')
  const wrong = { propertyId: hotel.propertyId, stay, occupancy: OCCUPANCY, rooms: [] }
  await call('POST', '/quote', { ...wrong, promoCode: word('promotion') })
  const rooms = [{ roomTypeId, quantity: 1 }]
  const quoted = await step(201, 'POST', '/quote', { ...wrong, rooms })
  const { quoteId, digest } = expectView<QuoteVM>(quoted, 201)
  await call('POST', '/hold', { quoteId, digest: word('digest') })
  await whileBroken(booking, ['reservation', { kind: 'lying' }], () =>
    call('POST', '/hold', { quoteId, digest }),
  )
  const held = await step(201, 'POST', '/hold', { quoteId, digest, handoffArrivalId })
  const { draftId, version } = expectView<DraftVM>(held, 201)
  const path = `/draft/${draftId}`
  await call('GET', `/draft/${word('draft')}`)
  await call('PATCH', path, { version, guest: { ...details(), email: word('wrong e-mail') } })
  await call('PATCH', path, { version, guest: { ...details(), phone: word('wrong phone') } })
  await step(200, 'PATCH', path, { version, guest: details() })
  await call('POST', `${path}/extend`, {})
  await call('POST', `${path}/accept-price`, { digest: word('accepted digest') })
  await call('POST', `${path}/payment-intent`, { method: word('method') })
  await call('POST', `${path}/payment-intent`, { method: 'mobile_money', phone: word('payer') })
  await step(201, 'POST', `${path}/payment-intent`, { method: 'cash_on_arrival' })
  await call('POST', `${path}/return`, { redirectStatus: word('redirect status') })
  await step(200, 'POST', `${path}/confirm`, {})
  const { outcome } = expectView<DraftVM>(await call('GET', path), 200)
  const { reservationId, confirmationLink } = outcome ?? {}
  if (!reservationId || !confirmationLink) throw new Error('not booked')
  canaries.place('signed link', confirmationLink.slice(-43))
  await call('GET', `/confirmation/${reservationId}`)
  await call('GET', `/confirmation/${reservationId}?t=${word('link token')}`)
  await call('GET', `/confirmation/${newId('rsv')}`, undefined, {
    'x-confirmation-token': word('token header'),
  })
  await call('GET', `/confirmation/${reservationId}/calendar.ics`)
  await call('GET', `/idempotency/${word('looked up key')}`)
  await call('DELETE', `/draft/${word('deleted draft')}`)
  await call('GET', `/${word('unknown path')}?q=${word('unknown path query')}`)
  const webhook = await send(url, 'POST', '/bff/tenant-booking/v1/webhooks/payments', {
    json: { [word('webhook')]: 1 },
    headers: { 'melmastoon-signature': word('signature') },
  })
  problems.push(webhook.text)
}

/** The last part of the session's cookie. */
function secretOf(cookies: readonly string[]): string {
  const cookie = cookies.find((value) => value.startsWith('tnt_session'))
  const secret = cookie?.split('.').at(-1)
  if (!secret) throw new Error('no session')
  return secret
}

const leaks = (texts: readonly string[]) => canaries.leaksIn(texts)

describe('SEC-L01 the input of a guest', () => {
  it('was sent to every route, and led to a booking', () => {
    const taken = Object.entries(statuses).filter(([, status]) => status < 300)
    expect(Object.entries(statuses).filter(([, status]) => status === 500)).toEqual([])
    expect(taken.length).toBeGreaterThan(12)
    expect(canaries.places.length).toBeGreaterThan(45)
    expect(taken.map(([name]) => name).join()).toContain('/calendar.ics')
  })

  it('is in no log, no metric and no trace', () => {
    expect(logs.length).toBeGreaterThan(5)
    expect(canaries.findIn(logs.join('\n'))).toEqual([])
    expect(metrics).toContain('bff_tenant_booking_telemetry_events_total')
    expect(canaries.findIn(metrics)).toEqual([])
    const exported = traces.received.join('\n')
    expect(exported.includes('reservation reservation.confirm')).toBe(true)
    expect(canaries.findIn(exported)).toEqual([])
  })

  it('is in no problem, apart from the path and the names of unknown fields', () => {
    expect(problems.length).toBeGreaterThan(20)
    const withoutPath = problems.map((text) => text.replace(/"instance":"[^"]*"/, ''))
    expect(canaries.findIn(withoutPath.join('\n'))).toEqual(['member', 'query name'])
  })

  it('is in no table and no key of Redis', async () => {
    const stored = await textsOfPostgres(booking)
    expect(stored.length).toBeGreaterThan(10)
    expect(leaks(stored)).toEqual({})
    const cached = await textsOfRedis(booking)
    expect(cached.length).toBeGreaterThan(10)
    expect(leaks(cached)).toEqual({})
  })

  it('would be found in a table, a key, a log or an event (control)', async () => {
    const { ctx } = booking.service
    const { environment } = booking
    await ctx.cacheRedis.set('canary', word('planted'))
    await environment.query(
      `update ${environment.schema}.booking_draft_snapshots set locale = $1`,
      [word('planted')],
    )
    expect(Object.values(leaks(await textsOfRedis(booking)))).toEqual([['planted']])
    expect(leaks(await textsOfPostgres(booking))).toEqual({ booking_draft_snapshots: ['planted'] })
    await ctx.cacheRedis.del('canary')
    expect(canaries.findIn(`{"msg":"${word('planted')}"}`)).toEqual(['planted'])
  })
})

describe('the events of a booking', () => {
  it('P6 have the fields of the registry and no others', async () => {
    const events = await expectClosedEvents(booking.environment.adminUrl, contracts)
    const subjects = new Set(events.map(({ envelope }) => envelope.subject))
    expect([...subjects]).toEqual(
      expect.arrayContaining([
        'melmastoon.bff.tenant.handoff.consumed.v1',
        'melmastoon.bff.tenant.booking.draft.created.v1',
        'melmastoon.bff.tenant.booking.draft.converted.v1',
        'melmastoon.bff.tenant.payment_intent.created.v1',
        'melmastoon.bff.tenant.confirmation.viewed.v1',
      ]),
    )
  })
})
