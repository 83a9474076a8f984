import { newId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { subscriptions } from '../../src/subscriptions.ts'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { disableSampling, eventNames, publishedEvents } from '../harness/published-events.ts'
import {
  contracts,
  dayFromNow,
  type Fixture,
  sectionsOf,
  startFixture,
} from '../harness/start-consumer.ts'
import {
  hotelsOf,
  send,
  sessionOf,
  startWishlistClient,
  storedWishes,
  unavailableOf,
  wishesOf,
} from '../harness/wishlist-client.ts'

let fixture: Fixture
let hotels: readonly [Hotel, Hotel, Hotel]

beforeAll(async () => {
  fixture = await startFixture()
  await disableSampling(fixture)
  const [one, two, three] = fixture.upstreams.hotels
  if (!one || !two || !three) throw new TypeError('too few hotels')
  hotels = [one, two, three]
  await untilStored()
})
beforeEach(() => fixture.upstreams.reset())
afterAll(() => fixture[Symbol.asyncDispose]())

/** On a busy machine the first read may be without brands. */
async function untilStored(): Promise<void> {
  const guest = await startSession()
  for (const { propertyId } of hotels) await guest.add(propertyId)
  await eventually(async () => expect((await guest.list()).body['degraded']).toBe(false))
}

const startSession = (headers?: Record<string, string>) =>
  startWishlistClient(fixture.service.url, headers)
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, String(body['code'])] as const

describe('C6 POST /wishlist', () => {
  it('adds a hotel with the tenant of the search projection', async () => {
    const guest = await startSession()
    const { propertyId, tenantId } = hotels[0]
    const response = await guest.add(propertyId, { source: 'detail', note: 'by the river' })
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      201,
      'private, no-store',
    ])
    expect(response.body).toEqual({
      wishlistId: expect.stringMatching(/^wsh_/),
      propertyId,
      tenantId,
      addedAt: expect.any(String),
      source: 'detail',
      note: 'by the river',
      size: 1,
    })
    expect(await storedWishes(fixture.environment, guest)).toEqual([propertyId])
    expect(await sessionOf(fixture.service, guest)).toEqual([propertyId])
  })

  it('stores a hotel once, with the latest note', async () => {
    const guest = await startSession()
    const { propertyId } = hotels[0]
    const first = await guest.add(propertyId, { note: 'cheap' })
    const { note: _cheap, ...entry } = first.body
    const again = await guest.add(propertyId, { source: 'map' })
    expect([again.status, again.body]).toEqual([200, first.body])
    const renoted = await guest.add(propertyId, { note: 'quiet' })
    expect([renoted.status, renoted.body]).toEqual([200, { ...entry, note: 'quiet' }])
    const blank = await guest.add(propertyId, { note: '  ' })
    expect([blank.status, blank.body]).toEqual([200, entry])
  })

  it('replays the same bytes, and changes nothing twice', async () => {
    const guest = await startSession()
    const { propertyId } = hotels[0]
    const key = newId('req')
    const first = await guest.add(propertyId, { key })
    await guest.remove(propertyId)
    const again = await guest.add(propertyId, { key })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('cache-control')).toBe('private, no-store')
    expect(await storedWishes(fixture.environment, guest)).toEqual([])
  })

  it('rejects hotels that are unknown or suspended', async () => {
    const guest = await startSession()
    expect(codeOf(await guest.add(newId('ppt')))).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    await using _suspended = await suspend(hotels[1])
    expect(codeOf(await guest.add(hotels[1].propertyId))).toEqual([
      404,
      'MELMASTOON.PROPERTY.NOT_FOUND',
    ])
    expect(await storedWishes(fixture.environment, guest)).toEqual([])
  })

  it.each([
    ['emoji', '😀'.repeat(280)],
    ['an emoji of seven code points', '👨‍👩‍👧‍👦'.repeat(40)],
    ['Pashto with zero-width joiners', 'د سیند تر څنګ، آرام ځای، می‌خواهم'],
    ['two lines', 'cheap\nand quiet'],
    ['quotes and backslashes', '"\\" <b>'],
  ])('stores a note of %s', async (_name, note) => {
    const guest = await startSession()
    const response = await guest.add(hotels[0].propertyId, { note })
    expect([response.status, response.body['note']]).toEqual([201, note])
    expect(wishesOf(await guest.list())[0]?.note).toBe(note)
  })

  it.each<[string, string, object]>([
    ['/propertyId', 'with an invalid id', { propertyId: 'ppt_1' }],
    ['/propertyId', 'with a tenant id', { propertyId: newId('tnt') }],
    ['/propertyId', 'that is missing', { propertyId: undefined }],
    ['/source', 'with an unknown value', { source: 'elsewhere' }],
    ['/source', 'that is missing', { source: undefined }],
    ['/tenantId', 'as an unknown field', { tenantId: newId('tnt') }],
    ['/note', 'that is a number', { note: 7 }],
    ['/note', 'of 281 characters', { note: '😀'.repeat(281) }],
    ['/note', 'with a null character', { note: 'a\u0000b' }],
    ['/note', 'with an escape character', { note: 'a\u001bb' }],
    ['/note', 'with a right-to-left override', { note: 'a\u202eb' }],
    ['/note', 'with an isolate', { note: 'a\u2066b' }],
    ['/note', 'with a lone surrogate', { note: 'half \ud83d' }],
  ])('rejects %s %s', async (pointer, _what, over) => {
    const guest = await startSession()
    const json = { propertyId: hotels[0].propertyId, source: 'list', ...over }
    const { cookie } = guest
    const response = await send(fixture.service.url, ['POST', '/wishlist'], {
      json,
      headers: { cookie },
    })
    expect(codeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(response.body['errors']).toMatchObject([{ pointer }])
    expect(await storedWishes(fixture.environment, guest)).toEqual([])
  })

  it('requires a session and an idempotency key', async () => {
    const { url } = fixture.service
    const json = { propertyId: hotels[0].propertyId, source: 'list' }
    expect(codeOf(await send(url, ['POST', '/wishlist'], { json }))).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    const { cookie } = await startSession()
    const keyless = { json, key: '', headers: { cookie } }
    expect(codeOf(await send(url, ['POST', '/wishlist'], keyless))).toEqual([
      400,
      'MELMASTOON.IDEMPOTENCY.KEY_MISSING',
    ])
  })
})

describe('C6 DELETE /wishlist/{propertyId}', () => {
  it('removes a hotel, and is idempotent', async () => {
    const guest = await startSession()
    const { propertyId } = hotels[0]
    await guest.add(propertyId, { note: 'gone tomorrow' })
    const key = newId('req')
    for (const response of [
      await guest.remove(propertyId, { key }),
      await guest.remove(propertyId, { key }),
      await guest.remove(propertyId),
    ]) {
      expect([response.status, response.text]).toEqual([204, ''])
    }
    expect(await storedWishes(fixture.environment, guest)).toEqual([])
    expect(await sessionOf(fixture.service, guest)).toEqual([])
  })

  it('works for a hotel that no longer exists', async () => {
    const guest = await startSession()
    await guest.add(hotels[1].propertyId)
    await using _suspended = await suspend(hotels[1])
    expect((await guest.remove(hotels[1].propertyId)).status).toBe(204)
    expect(await storedWishes(fixture.environment, guest)).toEqual([])
  })

  it('rejects an invalid property id', async () => {
    const guest = await startSession()
    const response = await guest.remove('everything')
    expect(codeOf(response)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(response.body['errors']).toMatchObject([{ pointer: '/params/propertyId' }])
  })
})

describe('C6 GET /wishlist', () => {
  it('lists cards, newest first, as a private response', async () => {
    const guest = await startSession()
    await guest.add(hotels[0].propertyId, { source: 'map' })
    await guest.add(hotels[1].propertyId, { note: 'near the bazaar' })
    const response = await guest.list()
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'private, no-store',
    ])
    expect(hotelsOf(response)).toEqual([hotels[1].propertyId, hotels[0].propertyId])
    expect(wishesOf(response)).toMatchObject([
      { note: 'near the bazaar', source: 'list', card: { name: { default: 'Hotel 1' } } },
      { source: 'map', card: { brandPeek: { primaryColor: '#005f56' } } },
    ])
    expect(response.body).toMatchObject({ size: 2, degraded: false, unavailable: [] })
    expect(sectionsOf(response)).toEqual({ wishes: 'fresh', listings: 'fresh', brands: 'fresh' })
  })

  it('prices them for a stay, and rejects an invalid stay', async () => {
    const guest = await startSession()
    await guest.add(hotels[0].propertyId)
    const stay = `?checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}&adults=2`
    const priced = await guest.list(stay)
    expect(wishesOf(priced)[0]?.card?.rateSnapshot).toMatchObject({ totalForStayMinor: 500_000 })
    expect(sectionsOf(priced)['prices']).toBe('fresh')
    const half = await guest.list(`?checkIn=${dayFromNow(7)}`)
    expect(codeOf(half)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(half.body['errors']).toMatchObject([{ pointer: '/query/checkOut' }])
  })

  it('is empty without a session, and starts none', async () => {
    const response = await send(fixture.service.url, ['GET', '/wishlist'])
    expect([response.status, response.body['size']]).toEqual([200, 0])
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('returns only the guest’s own wishes', async () => {
    const [one, other] = [await startSession(), await startSession()]
    await one.add(hotels[0].propertyId)
    await other.add(hotels[1].propertyId)
    await other.remove(hotels[0].propertyId)
    expect(hotelsOf(await one.list())).toEqual([hotels[0].propertyId])
    expect(hotelsOf(await other.list())).toEqual([hotels[1].propertyId])
  })

  it('lists a suspended hotel as unavailable, and as a card when it is reactivated', async () => {
    const guest = await startSession()
    await guest.add(hotels[0].propertyId)
    await guest.add(hotels[2].propertyId, { note: 'mine' })
    {
      await using _suspended = await suspend(hotels[2])
      const response = await guest.list()
      expect(hotelsOf(response)).toEqual([hotels[0].propertyId])
      expect(unavailableOf(response)).toMatchObject([
        { propertyId: hotels[2].propertyId, reason: 'off-sale', note: 'mine' },
      ])
      expect(response.body).toMatchObject({ size: 2, degraded: false })
    }
    expect(hotelsOf(await guest.list())).toEqual([hotels[2].propertyId, hotels[0].propertyId])
  })
})

describe('C8 events of a wishlist', () => {
  it('are published once each, without the note', async () => {
    const guest = await startSession()
    const { propertyId, tenantId } = hotels[0]
    await guest.add(propertyId, { note: 'call Ahmad' })
    await guest.add(propertyId, { note: 'call Farid' })
    await guest.remove(propertyId)
    await guest.remove(propertyId)
    const events = (await publishedEvents(fixture, guest.id)).filter(({ subject }) =>
      /wishlist/.test(subject),
    )
    expect(eventNames(events)).toEqual(['wishlist.added.v1', 'wishlist.removed.v1'])
    expect(events[0]?.payload).toMatchObject({
      guestSessionId: guest.id,
      propertyId,
      tenantId,
      source: 'list',
      hasNote: true,
      wishlistSize: 1,
    })
    expect(events[1]?.payload).toMatchObject({ propertyId, wishlistSize: 0 })
    expect(JSON.stringify(events)).not.toContain('Ahmad')
    await expectValidEvents(fixture.environment.adminUrl, contracts)
  })

  it.each([{ dnt: '1' }, { 'sec-gpc': '1' }])(
    'are not published for a guest with %j',
    async (headers) => {
      const guest = await startSession(headers)
      await guest.add(hotels[0].propertyId)
      await guest.remove(hotels[0].propertyId)
      expect(await publishedEvents(fixture, guest.id)).toEqual([])
    },
  )
})

/** Suspends as the event does; undone at the end of the scope. */
async function suspend({ tenantId }: Hotel) {
  const handlers = subscriptions.handlers(fixture.service.ctx)
  const publish = async (subject: string, payload: object) => {
    const handler = handlers.find(({ definitions }) =>
      definitions.some((definition) => definition.subject === subject),
    )
    await handler?.afterCommit({ payload } as EventMessage)
  }
  const at = () => new Date().toISOString()
  await publish(tenantSuspended.subject, { tenantId, reason: 'unpaid', suspendedAt: at() })
  return {
    [Symbol.asyncDispose]: () =>
      publish(tenantReactivated.subject, { tenantId, reactivatedAt: at() }),
  }
}
