import { idToUuid, newId } from '@melmastoon/domain'
import { startTcpProxy } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DraftVM } from '../../src/bookings/draft-view.ts'
import {
  createDesk,
  draftOf,
  expectView,
  GUEST,
  hold,
  insertPayment,
  quoteOf,
  withDetails,
} from '../harness/booking-flow.ts'
import { eventNames, eventsOf } from '../harness/outbox-events.ts'
import type { Guest } from '../harness/site.ts'
import { type Booking, SLUG, startBooking, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'

const SAMPLED = { sampleRates: { 'melmastoon.bff.tenant.flow.step_completed.v1': 1 } }

let booking: Booking
let hotel: PropertyDetail
let guest: Guest
let draft: DraftVM

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
})
afterAll(() => booking[Symbol.asyncDispose]())

async function newDraft(): Promise<DraftVM> {
  guest = await booking.site.guest()
  draft = await draftOf(guest, hotel)
  return draft
}

const codeOf = ({ body }: { body: unknown }) => (body as { code?: string }).code
const path = () => `/draft/${draft.draftId}`
const read = async () => expectView<DraftVM>(await guest.get(path()), 200)

async function setState(state: string): Promise<void> {
  const { environment } = booking
  const isFinal = ['confirmed', 'abandoned', 'failed'].includes(state)
  await environment.query(
    `update ${environment.schema}.booking_draft set state = $2, version = version + 1,
       finalized_at = case when $3 then now() end, outcome = $4 where id = $1`,
    [
      idToUuid(draft.draftId),
      state,
      isFinal,
      isFinal
        ? { reason: state, refunded: null, paymentMethod: null, paymentProvider: null }
        : null,
    ],
  )
  await forgetCopy()
}

const copyKey = () => `bff-tenant-booking-service:v1:booking-draft:${draft.draftId}`
const forgetCopy = () => booking.service.ctx.sessionRedis.del(copyKey())

describe('GET /draft/{id}', () => {
  it('T10 any tab of the session can resume', async () => {
    await newDraft()
    const other = guest.at({})
    const response = await other.get(path())
    expect(response.headers.get('etag')).toBe('"1"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { hold: _now, expiresAt, ...rest } = expectView<DraftVM>(response, 200)
    const { hold: _then, expiresAt: expected, ...created } = draft
    expect(rest).toEqual(created)
    // The row has the database's time, the first response that of the reservation service.
    expect(Math.abs(Date.parse(expiresAt) - Date.parse(expected))).toBeLessThan(10_000)
  })

  it('does not exist for another session, another tenant, or as an invented id', async () => {
    await newDraft()
    const stranger = await booking.site.guest()
    const elsewhere = await booking.otherSite.guest()
    const responses = [
      await stranger.get(path()),
      await elsewhere.get(path()),
      await guest.get(`/draft/${newId('bdr')}`),
    ]
    for (const response of responses) {
      expect([response.status, codeOf(response)]).toEqual([
        404,
        'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      ])
    }
    expect((await booking.site.browser().get(path())).status).toBe(401)
    expect((await guest.get('/draft/bdr_1')).status).toBe(400)
  })
})

describe('PATCH /draft/{id}', () => {
  it('T7 saves the details, in clear text for the own session only', async () => {
    await newDraft()
    const saved = await withDetails(guest, draft)
    expect(saved).toMatchObject({
      version: 2,
      state: 'collecting_details',
      guest: { isMasked: false, fullName: GUEST.fullName, phone: '+93701234567' },
      actions: ['extend-hold', 'hold-again', 'save-details', 'pay', 'cancel'],
    })
    const { environment } = booking
    const [row] = await environment.query<Record<string, unknown>>(
      `select to_jsonb(d) as draft from ${environment.schema}.booking_draft d where id = $1`,
      [idToUuid(draft.draftId)],
    )
    const copy = await booking.service.ctx.sessionRedis.hgetall(copyKey())
    for (const text of [JSON.stringify(row), JSON.stringify(copy)]) {
      expect(text).not.toContain('zarghuna')
      expect(text).not.toContain('701234567')
    }
  })

  it('reports the first completion of the step, and no change after it', async () => {
    const { cacheRedis, flags } = booking.service.ctx
    await cacheRedis.set('bff-tenant-flags', JSON.stringify(SAMPLED))
    await expect.poll(() => flags.sampleRates()).toEqual(SAMPLED.sampleRates)
    await newDraft()
    const first = await withDetails(guest, draft)
    await withDetails(guest, first)
    const names = eventNames(await eventsOf(booking, draft.draftId))
    expect(names).toEqual([
      'booking.draft.created.v1',
      'flow.step_completed.v1',
      'flow.step_completed.v1',
    ])
  })

  it('T10 rejects an outdated version, and accepts If-Match', async () => {
    await newDraft()
    await withDetails(guest, draft)
    const outdated = await guest.patch(path(), { version: 1, guest: GUEST })
    expect([outdated.status, codeOf(outdated)]).toEqual([
      409,
      'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
    ])
    expect(outdated.body).toMatchObject({ version: 2 })
    const matched = await guest.patch(path(), { guest: GUEST }, { headers: { 'if-match': '"2"' } })
    expect(expectView<DraftVM>(matched, 200).version).toBe(3)
    expect(matched.headers.get('etag')).toBe('"3"')
    expect((await guest.patch(path(), { guest: GUEST })).status).toBe(400)
  })

  it('of two tabs that save at once, one gets a conflict', async () => {
    await newDraft()
    const names = ['Ahmad Shah', 'Nazo Tokhi', 'Malalai Anna', 'Rabia Balkhi']
    const saves = await Promise.all(
      names.map((fullName) => guest.patch(path(), { version: 1, guest: { ...GUEST, fullName } })),
    )
    expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ])
    const winner = saves.findIndex(({ status }) => status === 200)
    expect((await read()).guest?.fullName).toBe(names[winner])
  })

  it('replays the response for the same key, although the version is outdated then', async () => {
    await newDraft()
    const key = newId('req')
    const json = { version: 1, guest: GUEST }
    const first = await guest.patch(path(), json, { key })
    const second = await guest.patch(path(), json, { key })
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    expect((await read()).version).toBe(2)
  })

  it('names every invalid field, and saves nothing', async () => {
    await newDraft()
    const invalid = { ...GUEST, email: 'nobody', phone: '123', termsAccepted: false }
    const response = await guest.patch(path(), { version: 1, guest: invalid })
    expect([response.status, codeOf(response)]).toEqual([
      422,
      'MELMASTOON.BFF.TENANT.DETAILS_INVALID',
    ])
    const { errors } = response.body as { errors: { pointer: string }[] }
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/guest/email',
      '/guest/phone',
      '/guest/termsAccepted',
    ])
    expect((await read()).version).toBe(1)
  })

  it('rejects terms that are not mentioned like terms that are not accepted', async () => {
    await newDraft()
    const { termsAccepted: _accepted, ...silent } = GUEST
    for (const details of [silent, { ...silent, termsAccepted: false }]) {
      const response = await guest.patch(path(), { version: 1, guest: details })
      expect(codeOf(response)).toBe('MELMASTOON.BFF.TENANT.DETAILS_INVALID')
      expect(response.body['errors']).toMatchObject([
        { pointer: '/guest/termsAccepted', code: 'terms' },
      ])
    }
  })

  it('reads a national number as one of the country of the hotel', async () => {
    await newDraft()
    const phone = hotel.address.country === 'AE' ? '050 123 4567' : '070 123 4567'
    const json = { version: 1, guest: { ...GUEST, phone } }
    const { guest: saved } = expectView<DraftVM>(await guest.patch(path(), json), 200)
    expect(saved?.phone).toMatch(/^\+\d{9,14}$/)
  })

  it('is possible while paying, and not any more while the booking is confirmed', async () => {
    await newDraft()
    const saved = await withDetails(guest, draft)
    await insertPayment(booking, draft.draftId)
    const json = { version: saved.version + 1, guest: GUEST }
    expect((await guest.patch(path(), json)).status).toBe(200)
    await setState('confirming')
    const late = await guest.patch(path(), { ...json, version: json.version + 2 })
    expect([late.status, codeOf(late)]).toEqual([
      409,
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
    ])
    expect(late.body).toMatchObject({ state: 'confirming', event: 'details.changed' })
  })
})

describe('T10 illegal moves', () => {
  const requests = (id: string, quote: { quoteId: string; digest: string }) =>
    [
      ['PATCH', `/draft/${id}`, { version: 2, guest: GUEST }],
      ['POST', `/draft/${id}/extend`, {}],
      ['POST', `/draft/${id}/accept-price`, { digest: quote.digest }],
      ['POST', '/hold', { ...quote, draftId: id }],
    ] as const

  it.each([
    ['confirming', 409, 'DRAFT_ILLEGAL_TRANSITION'],
    ['confirmed', 410, 'DRAFT_ENDED'],
    ['abandoned', 410, 'DRAFT_ENDED'],
    ['failed', 410, 'DRAFT_ENDED'],
  ])('in %s are rejected with %i', async (state, status, code) => {
    await newDraft()
    const { quoteId, digest } = await quoteOf(guest, hotel)
    await setState(state)
    for (const [method, at, json] of requests(draft.draftId, { quoteId, digest })) {
      const response = await guest.send(method, at, { json, key: newId('req') })
      expect([method, at, response.status, codeOf(response)]).toEqual([
        method,
        at,
        status,
        `MELMASTOON.BFF.TENANT.${code}`,
      ])
    }
    expect((await read()).state).toBe(state)
  })
})

describe('the copy in Redis', () => {
  it('D25 shows the entries while Postgres is down, and is ignored otherwise', async () => {
    await newDraft()
    const { ctx } = booking.service
    await expect.poll(() => ctx.sessionRedis.exists(copyKey())).toBe(1)
    // A change that only the copy has shows where the response came from.
    const stored = JSON.parse((await ctx.sessionRedis.hget(copyKey(), 'd')) ?? '{}')
    await ctx.sessionRedis.hset(copyKey(), 'd', JSON.stringify({ ...stored, version: 77 }))
    expect((await read()).version).toBe(1)
    await using proxy = await startTcpProxy(booking.env.DATABASE_APP_URL ?? '')
    await using other = await startBooking({ env: { ...booking.env, DATABASE_APP_URL: proxy.url } })
    await proxy.setMode({ kind: 'refuse' })
    const copy = await guest.at({ url: other.url }).get(path())
    expect(expectView<DraftVM>(copy, 200).version).toBe(77)
    await ctx.sessionRedis.hset(copyKey(), 'd', 'not JSON')
    expect((await guest.at({ url: other.url }).get(path())).status).toBe(503)
  })

  it('ends with the payment: nothing hides it', async () => {
    await newDraft()
    const { ctx } = booking.service
    await withDetails(guest, draft)
    await expect.poll(() => ctx.sessionRedis.hget(copyKey(), 'v')).toBe('2')
    await guest.post(`${path()}/payment-intent`, { method: 'cash_on_arrival' })
    await expect.poll(() => ctx.sessionRedis.hget(copyKey(), 'd')).toBeNull()
  })

  it('belongs to the session, too', async () => {
    await newDraft()
    await expect.poll(() => booking.service.ctx.sessionRedis.exists(copyKey())).toBe(1)
    const stranger = await booking.site.guest()
    expect((await stranger.get(path())).status).toBe(404)
  })

  it('with Redis down a guest can hold, save details and read', async () => {
    await newDraft()
    const desk = createDesk(booking, hotel)
    await using proxy = await startTcpProxy(booking.environment.redis.sessionUrl)
    const env = { ...booking.env, REDIS_SESSION_URL: proxy.url }
    await using other = await startBooking({ env })
    const browser = guest.at({ url: other.url })
    const quote = await quoteOf(guest, hotel)
    await proxy.setMode({ kind: 'refuse' })
    const held = expectView<DraftVM>(await hold(browser, quote), 201)
    const saved = await withDetails(browser, held)
    expect(expectView<DraftVM>(await browser.get(`/draft/${held.draftId}`), 200)).toMatchObject({
      version: saved.version,
      guest: { fullName: GUEST.fullName },
    })
    expect((await desk.reservationOf(held.draftId)).status).toBe('held')
  })
})
