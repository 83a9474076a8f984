import { newId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { tenantReactivated, tenantSuspended } from '@melmastoon/platform-events'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { subscriptions } from '../../src/subscriptions.ts'
import type { Hotel } from '../harness/fake-upstreams/index.ts'
import { namesOf, tellAll, toldOf } from '../harness/published-events.ts'
import {
  contracts,
  dayFromNow,
  type Fixture,
  sectionsOf,
  startFixture,
} from '../harness/start-consumer.ts'
import {
  hotelsOf,
  meetWishing,
  mirrorOf,
  send,
  sessionOf,
  unavailableOf,
  wishesOf,
} from '../harness/wishlist-client.ts'

let fixture: Fixture
let hotels: readonly [Hotel, Hotel, Hotel]

beforeAll(async () => {
  fixture = await startFixture()
  await tellAll(fixture)
  const [one, two, three] = fixture.upstreams.hotels
  if (!one || !two || !three) throw new TypeError('too few hotels')
  hotels = [one, two, three]
  await untilKept()
})
beforeEach(() => fixture.upstreams.mend())
afterAll(() => fixture[Symbol.asyncDispose]())

/** A busy machine's first look may come without brands. */
async function untilKept(): Promise<void> {
  const guest = await meet()
  for (const { propertyId } of hotels) await guest.add(propertyId)
  await eventually(async () => expect((await guest.list()).body['degraded']).toBe(false))
}

const meet = (headers?: Record<string, string>) => meetWishing(fixture.service.url, headers)
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) =>
  [status, String(body['code'])] as const

describe('C6 POST /wishlist', () => {
  it('adds a hotel, whose tenant the search projection tells', async () => {
    const guest = await meet()
    const { propertyId, tenantId } = hotels[0]
    const answer = await guest.add(propertyId, { source: 'detail', note: 'by the river' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'private, no-store'])
    expect(answer.body).toEqual({
      wishlistId: expect.stringMatching(/^wsh_/),
      propertyId,
      tenantId,
      addedAt: expect.any(String),
      source: 'detail',
      note: 'by the river',
      size: 1,
    })
    expect(await mirrorOf(fixture.environment, guest)).toEqual([propertyId])
    expect(await sessionOf(fixture.service, guest)).toEqual([propertyId])
  })

  it('has a hotel once, with the note that was given last', async () => {
    const guest = await meet()
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

  it('replays an answer byte by byte, and nothing happens twice', async () => {
    const guest = await meet()
    const { propertyId } = hotels[0]
    const key = newId('req')
    const first = await guest.add(propertyId, { key })
    await guest.remove(propertyId)
    const again = await guest.add(propertyId, { key })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('cache-control')).toBe('private, no-store')
    expect(await mirrorOf(fixture.environment, guest)).toEqual([])
  })

  it('knows no hotel that is not shown, and none that is suspended', async () => {
    const guest = await meet()
    expect(codeOf(await guest.add(newId('ppt')))).toEqual([404, 'MELMASTOON.PROPERTY.NOT_FOUND'])
    await using _suspended = await suspend(hotels[1])
    expect(codeOf(await guest.add(hotels[1].propertyId))).toEqual([
      404,
      'MELMASTOON.PROPERTY.NOT_FOUND',
    ])
    expect(await mirrorOf(fixture.environment, guest)).toEqual([])
  })

  it.each([
    ['emoji', '😀'.repeat(280)],
    ['a family that is seven code points', '👨‍👩‍👧‍👦'.repeat(40)],
    ['Pashto with its zero-width joiners', 'د سیند تر څنګ، آرام ځای، می‌خواهم'],
    ['two lines', 'cheap\nand quiet'],
    ['quotes and backslashes', '"\\" <b>'],
  ])('keeps a note of %s', async (_name, note) => {
    const guest = await meet()
    const answer = await guest.add(hotels[0].propertyId, { note })
    expect([answer.status, answer.body['note']]).toEqual([201, note])
    expect(wishesOf(await guest.list())[0]?.note).toBe(note)
  })

  it.each<[string, string, object]>([
    ['/propertyId', 'that is no id', { propertyId: 'ppt_1' }],
    ['/propertyId', 'of a tenant', { propertyId: newId('tnt') }],
    ['/propertyId', 'that is missing', { propertyId: undefined }],
    ['/source', 'that is none', { source: 'elsewhere' }],
    ['/source', 'that is missing', { source: undefined }],
    ['/tenantId', 'at all', { tenantId: newId('tnt') }],
    ['/note', 'that is a number', { note: 7 }],
    ['/note', 'of 281 characters', { note: '😀'.repeat(281) }],
    ['/note', 'with a null character', { note: 'a\u0000b' }],
    ['/note', 'with an escape character', { note: 'a\u001bb' }],
    ['/note', 'that is read from right to left', { note: 'a\u202eb' }],
    ['/note', 'with an isolate', { note: 'a\u2066b' }],
    ['/note', 'with half a character', { note: 'half \ud83d' }],
  ])('refuses %s %s', async (pointer, _what, over) => {
    const guest = await meet()
    const json = { propertyId: hotels[0].propertyId, source: 'list', ...over }
    const { cookie } = guest
    const answer = await send(fixture.service.url, ['POST', '/wishlist'], {
      json,
      headers: { cookie },
    })
    expect(codeOf(answer)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(answer.body['errors']).toMatchObject([{ pointer }])
    expect(await mirrorOf(fixture.environment, guest)).toEqual([])
  })

  it('needs a session and a key', async () => {
    const { url } = fixture.service
    const json = { propertyId: hotels[0].propertyId, source: 'list' }
    expect(codeOf(await send(url, ['POST', '/wishlist'], { json }))).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    const { cookie } = await meet()
    const keyless = { json, key: '', headers: { cookie } }
    expect(codeOf(await send(url, ['POST', '/wishlist'], keyless))).toEqual([
      400,
      'MELMASTOON.IDEMPOTENCY.KEY_MISSING',
    ])
  })
})

describe('C6 DELETE /wishlist/{propertyId}', () => {
  it('removes for good, also what is not there', async () => {
    const guest = await meet()
    const { propertyId } = hotels[0]
    await guest.add(propertyId, { note: 'gone tomorrow' })
    const key = newId('req')
    for (const answer of [
      await guest.remove(propertyId, { key }),
      await guest.remove(propertyId, { key }),
      await guest.remove(propertyId),
    ]) {
      expect([answer.status, answer.text]).toEqual([204, ''])
    }
    expect(await mirrorOf(fixture.environment, guest)).toEqual([])
    expect(await sessionOf(fixture.service, guest)).toEqual([])
  })

  it('works for a hotel that nobody knows any more', async () => {
    const guest = await meet()
    await guest.add(hotels[1].propertyId)
    await using _suspended = await suspend(hotels[1])
    expect((await guest.remove(hotels[1].propertyId)).status).toBe(204)
    expect(await mirrorOf(fixture.environment, guest)).toEqual([])
  })

  it('refuses what is no id of a hotel', async () => {
    const guest = await meet()
    const answer = await guest.remove('everything')
    expect(codeOf(answer)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(answer.body['errors']).toMatchObject([{ pointer: '/params/propertyId' }])
  })
})

describe('C6 GET /wishlist', () => {
  it('lists cards, the newest first, for the guest alone', async () => {
    const guest = await meet()
    await guest.add(hotels[0].propertyId, { source: 'map' })
    await guest.add(hotels[1].propertyId, { note: 'near the bazaar' })
    const answer = await guest.list()
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(hotelsOf(answer)).toEqual([hotels[1].propertyId, hotels[0].propertyId])
    expect(wishesOf(answer)).toMatchObject([
      { note: 'near the bazaar', source: 'list', card: { name: { default: 'Hotel 1' } } },
      { source: 'map', card: { brandPeek: { primaryColor: '#005f56' } } },
    ])
    expect(answer.body).toMatchObject({ size: 2, degraded: false, unavailable: [] })
    expect(sectionsOf(answer)).toEqual({ wishes: 'fresh', listings: 'fresh', brands: 'fresh' })
  })

  it('prices them for a stay, and refuses a stay that is none', async () => {
    const guest = await meet()
    await guest.add(hotels[0].propertyId)
    const stay = `?checkIn=${dayFromNow(7)}&checkOut=${dayFromNow(9)}&adults=2`
    const priced = await guest.list(stay)
    expect(wishesOf(priced)[0]?.card?.rateSnapshot).toMatchObject({ totalForStayMinor: 500_000 })
    expect(sectionsOf(priced)['prices']).toBe('fresh')
    const half = await guest.list(`?checkIn=${dayFromNow(7)}`)
    expect(codeOf(half)).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
    expect(half.body['errors']).toMatchObject([{ pointer: '/query/checkOut' }])
  })

  it('is empty without a session, which does not begin by it', async () => {
    const answer = await send(fixture.service.url, ['GET', '/wishlist'])
    expect([answer.status, answer.body['size']]).toEqual([200, 0])
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  it('shows nobody the wishes of another', async () => {
    const [one, other] = [await meet(), await meet()]
    await one.add(hotels[0].propertyId)
    await other.add(hotels[1].propertyId)
    await other.remove(hotels[0].propertyId)
    expect(hotelsOf(await one.list())).toEqual([hotels[0].propertyId])
    expect(hotelsOf(await other.list())).toEqual([hotels[1].propertyId])
  })

  it('tells of a suspended hotel apart, and shows it again when it is back', async () => {
    const guest = await meet()
    await guest.add(hotels[0].propertyId)
    await guest.add(hotels[2].propertyId, { note: 'mine' })
    {
      await using _suspended = await suspend(hotels[2])
      const answer = await guest.list()
      expect(hotelsOf(answer)).toEqual([hotels[0].propertyId])
      expect(unavailableOf(answer)).toMatchObject([
        { propertyId: hotels[2].propertyId, reason: 'off-sale', note: 'mine' },
      ])
      expect(answer.body).toMatchObject({ size: 2, degraded: false })
    }
    expect(hotelsOf(await guest.list())).toEqual([hotels[2].propertyId, hotels[0].propertyId])
  })
})

describe('C8 events of a wishlist', () => {
  it('are told once each, without what the guest wrote', async () => {
    const guest = await meet()
    const { propertyId, tenantId } = hotels[0]
    await guest.add(propertyId, { note: 'call Ahmad' })
    await guest.add(propertyId, { note: 'call Farid' })
    await guest.remove(propertyId)
    await guest.remove(propertyId)
    const told = (await toldOf(fixture, guest.id)).filter(({ subject }) => /wishlist/.test(subject))
    expect(namesOf(told)).toEqual(['wishlist.added.v1', 'wishlist.removed.v1'])
    expect(told[0]?.payload).toMatchObject({
      guestSessionId: guest.id,
      propertyId,
      tenantId,
      source: 'list',
      hasNote: true,
      wishlistSize: 1,
    })
    expect(told[1]?.payload).toMatchObject({ propertyId, wishlistSize: 0 })
    expect(JSON.stringify(told)).not.toContain('Ahmad')
    await expectValidEvents(fixture.environment.adminUrl, contracts)
  })

  it.each([{ dnt: '1' }, { 'sec-gpc': '1' }])(
    'are not told of a guest with %j',
    async (headers) => {
      const guest = await meet(headers)
      await guest.add(hotels[0].propertyId)
      await guest.remove(hotels[0].propertyId)
      expect(await toldOf(fixture, guest.id)).toEqual([])
    },
  )
})

/** As its event does it; undone at the end of the scope. */
async function suspend({ tenantId }: Hotel) {
  const handlers = subscriptions.handlers(fixture.service.ctx)
  const tell = async (subject: string, payload: object) => {
    const handler = handlers.find(({ definitions }) =>
      definitions.some((definition) => definition.subject === subject),
    )
    await handler?.afterCommit({ payload } as EventMessage)
  }
  const at = () => new Date().toISOString()
  await tell(tenantSuspended.subject, { tenantId, reason: 'unpaid', suspendedAt: at() })
  return {
    [Symbol.asyncDispose]: () => tell(tenantReactivated.subject, { tenantId, reactivatedAt: at() }),
  }
}
