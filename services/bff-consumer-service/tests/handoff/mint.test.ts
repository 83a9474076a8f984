import { idToUuid, newId, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import { verifyHandoff } from '@melmastoon/security'
import { countPostgresRoundTrips } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { handoffInitiated } from '../../src/events/handoff-events.ts'
import { BookingHandoffVM } from '../../src/handoff/handoff-fields.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { PLANS } from '../harness/fake-upstreams/offer-responses.ts'
import { ROOM_TYPE_ID } from '../harness/fake-upstreams/property-responses.ts'
import { sessionBy } from '../harness/guest-sessions.ts'
import {
  idOf,
  mint,
  mintForNewGuest,
  RING,
  startSession,
  stayRequest,
  type Target,
  tokenOf,
} from '../harness/handoff-client.ts'
import {
  contracts,
  dayFromNow,
  type Fixture,
  post,
  startConsumer,
  startFixture,
} from '../harness/start-consumer.ts'

let fixture: Fixture
let url: string
let hotels: Target[]

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
  hotels = fixture.upstreams.hotels
  // On a busy machine the first request to the tenant service may be late; later ones are cached.
  for (const index of [0, 1, 2, 5, 6]) await mintForNewGuest(url, at(index))
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.requests.length = 0
})
afterEach(() => fixture.upstreams.reset())

const at = (index: number): Target => {
  const hotel = hotels[index]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}

interface Row {
  id: string
  row: Record<string, unknown>
}

const rowsOf = (sessionId: string) =>
  fixture.environment.query<Row>(`select to_jsonb(h) as row from bff_consumer.handoff_replay_log h
      where guest_session_id = '${uuidOf(sessionId)}'`)

const eventsOf = (sessionId: string) =>
  fixture.environment.query<{
    payload: Record<string, unknown>
  }>(`select payload from (select subject, payload from bff_consumer.outbox
       union all select subject, payload from bff_consumer.outbox_published) e
      where subject = '${handoffInitiated.subject}' and payload->>'guestSessionId' = '${sessionId}'`)

describe('C7 a booking link', () => {
  it('leads to the hotel’s own site with the stay, language and currency of the guest', async () => {
    const { guest, response, token } = await mintForNewGuest(url, at(0), {
      'x-campaign-source': 'radio',
    })
    expect(response.status).toBe(201)
    expect(closedCheck(BookingHandoffVM)(response.body)).toEqual([])
    expect(response.body['redirectUrl']).toBe(`https://hotel-0.melmastoon.ghasi.io/book?h=${token}`)
    expect(response.body['ttlSeconds']).toBe(1_800)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    const [stored] = await rowsOf(guest.id)
    expect(stored?.row['source_campaign']).toEqual({ source: 'radio' })
    const { tenantId, propertyId } = at(0)
    expect(verifyHandoff(token, RING, { now: new Date(), tenantId })).toMatchObject({
      version: 3,
      id: idOf(response),
      guestSessionId: guest.id,
      tenantId,
      propertyId,
      ...stayRequest().dates,
      ...stayRequest().occupancy,
      locale: 'en',
      currency: 'AFN',
      expiresAt: response.body['expiresAt'],
      campaign: { source: 'radio', medium: '', name: '' },
      offer: {
        roomTypeId: ROOM_TYPE_ID,
        ratePlanId: PLANS.NRF.ratePlanId,
        digest: PLANS.NRF.digest,
        shownPrice: { amountMinor: 500_000, currency: 'AFN' },
      },
    })
  })

  it('is stored as a row from which no link can be made, and is published', async () => {
    const { guest, response, token } = await mintForNewGuest(url, at(0))
    const [stored, ...more] = await rowsOf(guest.id)
    expect(more).toEqual([])
    const { signatureFingerprint } = verifyHandoff(token, RING, {
      now: new Date(),
      tenantId: at(0).tenantId,
    })
    expect(stored?.row).toMatchObject({
      handoff_id: uuidOf(idOf(response)),
      target_tenant_id: uuidOf(at(0).tenantId),
      signature_fingerprint: signatureFingerprint,
      hmac_key_id: 'hmac-2026-04',
      consumed: false,
      children_ages: [4],
      source_campaign: null,
      replay_attempts: 0,
    })
    const mac = token.split('.')[1] ?? 'none'
    expect(JSON.stringify(stored)).not.toContain(mac)
    const [event, ...others] = await eventsOf(guest.id)
    expect(others).toEqual([])
    expect(event?.payload).toMatchObject({ handoffId: idOf(response), hmacKeyId: 'hmac-2026-04' })
    expect(JSON.stringify(event)).not.toContain(mac)
  })

  it('has the language and currency of the request, else those of the session', async () => {
    const guest = await startSession(url)
    const explicitly = await mint(url, guest.cookie, at(0), {
      json: stayRequest({ locale: 'fa-AF', currency: 'EUR' }),
    })
    const header = await mint(url, guest.cookie, at(0), { headers: { 'x-currency': 'USD' } })
    const read = (token: string) =>
      verifyHandoff(token, RING, { now: new Date(), tenantId: at(0).tenantId })
    expect(read(tokenOf(explicitly))).toMatchObject({ locale: 'fa-AF', currency: 'EUR' })
    expect(read(tokenOf(header))).toMatchObject({ locale: 'en', currency: 'USD' })
  })

  it.each([
    ['/roomTypeId', { roomTypeId: newId('rate') }],
    ['/ratePlanId', { ratePlanId: 'BAR' }],
    ['/digest', { digest: `sha256:${'0F'.repeat(32)}` }],
    ['/shownPrice/amountMinor', { shownPrice: { amountMinor: -1, currency: 'AFN' } }],
    ['/shownPrice/amountMinor', { shownPrice: { amountMinor: 1.5, currency: 'AFN' } }],
    ['/shownPrice/amountMinor', { shownPrice: { amountMinor: 1e15, currency: 'AFN' } }],
    ['/shownPrice/currency', { shownPrice: { amountMinor: 1, currency: 'ABC' } }],
    ['/shownPrice/currency', { shownPrice: { amountMinor: 1 } }],
  ])('rejects an invalid %s', async (pointer, over) => {
    const { cookie } = await startSession(url)
    const { status, body } = await mint(url, cookie, at(0), { json: stayRequest(over) })
    expect(status).toBe(400)
    expect(body['errors']).toMatchObject([{ pointer }])
  })

  it('requires a session and an idempotency key', async () => {
    const { tenantId, propertyId } = at(0)
    const path = `/handoff/${tenantId}/${propertyId}`
    const otherGuest = await post(url, path, {
      json: stayRequest(),
      headers: { 'idempotency-key': newId('req') },
    })
    expect([otherGuest.status, otherGuest.body['code']]).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    const { cookie } = await startSession(url)
    const keyless = await post(url, path, { json: stayRequest(), headers: { cookie } })
    expect([keyless.status, keyless.body['code']]).toEqual([
      400,
      'MELMASTOON.IDEMPOTENCY.KEY_MISSING',
    ])
  })

  it.each([
    [{ consent: { telemetry: false } }, {}],
    [{}, { dnt: '1' }],
    [{}, { 'sec-gpc': '1' }],
  ])('C8 is not published without consent: %j %j', async (json, headers) => {
    const started = await post(url, '/session', { json })
    const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
    const response = await mint(url, cookie, at(0), { headers })
    expect(response.status).toBe(201)
    const id = String(started.body['id'])
    expect(await rowsOf(id)).toHaveLength(1)
    expect(await eventsOf(id)).toEqual([])
  })

  it('is committed together with its event and the replayed response, or not at all', async () => {
    const guest = await startSession(url)
    const key = newId('req')
    await fixture.environment.query('revoke insert on bff_consumer.outbox from bff_consumer_app')
    try {
      expect((await mint(url, guest.cookie, at(0), { key })).status).toBe(500)
    } finally {
      await fixture.environment.query('grant insert on bff_consumer.outbox to bff_consumer_app')
    }
    expect(await rowsOf(guest.id)).toEqual([])
    expect((await mint(url, guest.cookie, at(0), { key })).status).toBe(201)
    expect(await rowsOf(guest.id)).toHaveLength(1)
    expect(await eventsOf(guest.id)).toHaveLength(1)
  })
})

describe('D22 the number of links per guest', () => {
  const handoff = { name: 'handoff', limit: 3, periodSeconds: 3_600 }
  const handoffInCampaign = { ...handoff, limit: 2 }

  it('is limited, more tightly during a campaign; reads are not', async () => {
    await using strict = await startConsumer(fixture.environment, {
      policies: { handoff, handoffInCampaign },
    })
    const mintFour = async () => {
      const { cookie } = await startSession(strict.url)
      const responses = []
      for (let n = 0; n < 4; n += 1) responses.push(await mint(strict.url, cookie, at(0)))
      expect((await post(strict.url, '/session', { headers: { cookie } })).status).toBe(200)
      return responses
    }
    const responses = await mintFour()
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 429])
    expect(responses.at(-1)?.body['code']).toBe('MELMASTOON.GENERAL.RATE_LIMITED')
    const { cacheRedis, flags } = strict.ctx
    await cacheRedis.set('bff.consumer.campaign_mode.v1', '{"enabled":true}')
    await expect.poll(() => flags.isCampaign()).toBe(true)
    const inCampaign = await mintFour()
    expect(inCampaign.map(({ status }) => status)).toEqual([201, 201, 429, 429])
    await cacheRedis.del('bff.consumer.campaign_mode.v1')
  })
})

it('a booking link takes one round trip to Postgres', async () => {
  const appUrl = new URL(fixture.environment.env['DATABASE_URL'] ?? '')
  appUrl.username = `${contracts.schema}_app`
  await using proxy = await countPostgresRoundTrips(appUrl.href)
  const env = { ...fixture.environment.env, DATABASE_APP_URL: proxy.url }
  await using counted = await startConsumer({ env })
  const { cookie } = await startSession(counted.url)
  const counts = []
  for (let n = 0; n < 6; n += 1) {
    proxy.reset()
    expect((await mint(counted.url, cookie, at(0))).status).toBe(201)
    counts.push(proxy.count)
  }
  // Telemetry of other requests is written in the background, hence the minimum.
  expect(Math.min(...counts)).toBe(1)
})

describe('SEC-H13 a repeated request', () => {
  it('SEC-H13 returns the same token from every instance, and a different one to another guest', async () => {
    await using other = await startConsumer(fixture.environment)
    const [guest, otherGuest] = [await startSession(url), await startSession(url)]
    const key = newId('req')
    const first = await mint(url, guest.cookie, at(1), { key })
    const again = await Promise.all(
      [url, other.url].map((each) => mint(each, guest.cookie, at(1), { key })),
    )
    for (const response of again) {
      expect(response.status).toBe(201)
      expect(response.text).toBe(first.text)
      expect(response.headers.get('idempotent-replayed')).toBe('true')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect(await rowsOf(guest.id)).toHaveLength(1)
    const theirs = await mint(url, otherGuest.cookie, at(1), { key })
    expect(theirs.status).toBe(201)
    expect(tokenOf(theirs)).not.toBe(tokenOf(first))
    const anew = await mint(url, guest.cookie, at(1), {})
    expect(tokenOf(anew)).not.toBe(tokenOf(first))
  })

  it('SEC-H13 creates one link for twenty concurrent requests', async () => {
    const guest = await startSession(url)
    const key = newId('req')
    const all = await Promise.all(
      Array.from({ length: 20 }, () => mint(url, guest.cookie, at(1), { key })),
    )
    const made = all.filter(({ status }) => status === 201).map(({ text }) => text)
    expect(new Set(made).size).toBe(1)
    expect(all.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(await rowsOf(guest.id)).toHaveLength(1)
  })

  it('SEC-H13 is rejected with another stay, hotel or currency under the same key', async () => {
    const guest = await startSession(url)
    const key = newId('req')
    await mint(url, guest.cookie, at(1), { key })
    const others = [
      mint(url, guest.cookie, at(2), { key }),
      mint(url, guest.cookie, at(1), { key, json: stayRequest({ occupancy: { adults: 1 } }) }),
      mint(url, guest.cookie, at(1), { key, headers: { 'x-currency': 'USD' } }),
    ]
    for (const response of await Promise.all(others)) {
      expect([response.status, response.body['code']]).toEqual([
        422,
        'MELMASTOON.IDEMPOTENCY.KEY_REUSED',
      ])
    }
  })

  it('SEC-H13 is replayed until the token expires', async () => {
    const guest = await startSession(url)
    await mint(url, guest.cookie, at(1))
    const [row] = await fixture.environment.query<{
      minutes: string
    }>(`select extract(epoch from expires_at - now()) / 60 as minutes from bff_consumer.idempotency
        where state = 'completed' order by expires_at desc limit 1`)
    expect(Number(row?.minutes)).toBeGreaterThan(30)
    expect(Number(row?.minutes)).toBeLessThan(32)
  })
})

describe('the hotel', () => {
  const codeOf = async (target: Target) => {
    const { cookie } = await startSession(url)
    const response = await mint(url, cookie, target)
    return [response.status, response.body['code']]
  }

  it('D18 of another tenant gets the same 404 as an unknown one', async () => {
    const otherGuest = await codeOf({ tenantId: at(0).tenantId, propertyId: at(1).propertyId })
    const missing = await codeOf({ tenantId: at(0).tenantId, propertyId: newId('ppt') })
    expect(otherGuest).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    expect(missing).toEqual(otherGuest)
    expect(await codeOf({ tenantId: newId('tnt'), propertyId: at(1).propertyId })).toEqual([
      404,
      'MELMASTOON.TENANT.NOT_FOUND',
    ])
  })

  it('of a suspended tenant is rejected by code, whether the tenant service or the list reports it', async () => {
    const [suspended, listed] = [at(3), at(4)]
    fixture.upstreams.suspended.add(suspended.tenantId)
    await fixture.service.ctx.blocked.decide(listed.tenantId, verdict(true))
    const rejected = [403, 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED']
    await expect.poll(() => codeOf(suspended)).toEqual(rejected)
    expect(await codeOf(listed)).toEqual(rejected)
    await fixture.service.ctx.blocked.decide(listed.tenantId, verdict(false))
    fixture.upstreams.suspended.clear()
  })

  it('suspended after the first request does not change the response to a retry', async () => {
    const { cookie } = await startSession(url)
    const key = newId('req')
    const target = at(2)
    const first = await mint(url, cookie, target, { key })
    expect(first.status).toBe(201)
    await fixture.service.ctx.blocked.decide(target.tenantId, verdict(true))
    const [again, other, fresh] = [
      await mint(url, cookie, target, { key }),
      await mint(url, cookie, target, { key, json: stayRequest({ currency: 'EUR' }) }),
      await mint(url, cookie, target),
    ]
    await fixture.service.ctx.blocked.decide(target.tenantId, verdict(false))
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect([other.status, other.body['code']]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
    expect(fresh.body['code']).toBe('MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED')
  })

  it('blocked at one instance is rejected at the other at once', async () => {
    await using other = await startConsumer(fixture.environment)
    const target = at(5)
    expect(await codeOf(target)).toEqual([201, undefined])
    await other.ctx.blocked.decide(target.tenantId, verdict(true))
    expect(await codeOf(target)).toEqual([403, 'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED'])
    await other.ctx.blocked.decide(target.tenantId, verdict(false))
  })

  it('D22 is rejected while the tenant service is down, unless the tenant is cached', async () => {
    const [known, unknown] = [at(6), at(7)]
    expect(await codeOf(known)).toEqual([201, undefined])
    fixture.upstreams.behaviour.tenant.mode = 'down'
    expect(await codeOf(known)).toEqual([201, undefined])
    expect(await codeOf(unknown)).toEqual([503, 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'])
    expect(fixture.upstreams.count('tenant')).toBeGreaterThan(0)
  })

  it('D22 is rejected by code while the tenant service rejects our credentials', async () => {
    fixture.upstreams.behaviour.tenant.mode = 'rejecting'
    expect(await codeOf(at(9))).toEqual([502, 'MELMASTOON.BFF.UPSTREAM_REQUEST_REJECTED'])
  })

  it.each([
    ['is down', 'down', 8],
    ['rejects our credentials', 'rejecting', 10],
  ] as const)('can be booked while the search service %s', async (_how, mode, index) => {
    fixture.upstreams.behaviour.search.mode = mode
    await expect.poll(() => codeOf(at(index))).toEqual([201, undefined])
    expect(fixture.upstreams.count('property')).toBeGreaterThan(0)
    const otherGuest = { tenantId: at(index).tenantId, propertyId: at(9).propertyId }
    expect(await codeOf(otherGuest)).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
  })

  const verdict = (blocked: boolean) => ({ blocked, decidedAtMs: Date.now() })
})

describe('text that a link must not contain', () => {
  const BAD = ['a\nb', 'a\u0000b', 'a\u2028b', '\u202eabc', '\u2066x', 'x'.repeat(10_240)]

  it.each(['checkIn', 'checkOut'])('is rejected in %s', async (name) => {
    const dates = stayRequest().dates
    for (const text of BAD) {
      const json = stayRequest({ dates: { ...dates, [name]: `${dates.checkIn}${text}` } })
      await expectRejected({ json }, [400])
    }
  })

  it.each([
    ['locale', 'en'],
    ['currency', 'AFN'],
  ])('is rejected in %s', async (name, good) => {
    for (const text of BAD) await expectRejected({ json: stayRequest({ [name]: good + text }) })
  })

  it('is rejected in the path', async () => {
    const { cookie } = await startSession(url)
    for (const text of BAD) {
      const tenantId = (at(0).tenantId + encodeURIComponent(text)) as TenantId
      const response = await mint(url, cookie, { ...at(0), tenantId })
      expect([400, 404, 414, 431]).toContain(response.status)
    }
  })

  it('is omitted from campaign parameters, so that an invalid campaign link does not prevent a booking', async () => {
    const headers = { 'x-campaign-source': 'a\u0080b', 'x-campaign-name': 'x'.repeat(5_000) }
    const { response, token } = await mintForNewGuest(url, at(0), headers)
    expect(response.status).toBe(201)
    const { campaign } = verifyHandoff(token, RING, { now: new Date(), tenantId: at(0).tenantId })
    expect(campaign).toEqual({ source: '', medium: '', name: '' })
  })

  it('is omitted when it comes from the session', async () => {
    const guest = await startSession(url)
    await fixture.service.ctx.sessions.update(await sessionBy(fixture.service, guest), (data) => ({
      ...data,
      campaignAttribution: {
        source: 'a\nb',
        medium: 'print',
        capturedAt: toIsoDateTime(new Date()),
      },
    }))
    const response = await mint(url, guest.cookie, at(0))
    const read = verifyHandoff(tokenOf(response), RING, {
      now: new Date(),
      tenantId: at(0).tenantId,
    })
    expect(read.campaign).toEqual({ source: '', medium: 'print', name: '' })
  })

  it.each([
    [{ dates: { checkIn: dayFromNow(9), checkOut: dayFromNow(7) } }, '/dates/checkOut'],
    [{ dates: { checkIn: '2026-02-30', checkOut: '2026-03-02' } }, '/dates/checkIn'],
    [{ occupancy: { adults: 1, children: 2, childrenAges: [3] } }, '/occupancy/childrenAges'],
    [{ occupancy: { adults: 0 } }, '/occupancy/adults'],
    [{ campaign: { source: 'x' } }, '/campaign'],
  ])('%j is rejected', async (over, pointer) => {
    const response = await expectRejected({ json: stayRequest(over) }, [400])
    expect(response.body['errors']).toMatchObject([{ pointer }])
  })

  async function expectRejected(options: { json: unknown }, statuses = [400, 422]) {
    const guest = await startSession(url)
    const response = await mint(url, guest.cookie, at(0), options)
    expect(statuses).toContain(response.status)
    expect(await rowsOf(guest.id)).toEqual([])
    return response
  }
})

function uuidOf(id: string): string {
  return idToUuid(id as TenantId)
}
