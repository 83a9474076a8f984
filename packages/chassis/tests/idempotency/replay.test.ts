import { FINGERPRINT_VERSIONS, lookupKey } from '@melmastoon/chassis/idempotency'
import { newId, type TenantId } from '@melmastoon/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rejectedSessions } from './_app.ts'
import { Guest, newKey, type Sent } from './_client.ts'
import { allNotes } from './_database.ts'
import { type Site, startSite } from './_site.ts'

let site: Site
let guest: Guest
let key: string

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  guest = new Guest(site.base)
  key = newKey()
  site.upstream.mode = 'responds'
})

async function countEffects(work: () => Promise<unknown>): Promise<number> {
  const before = (await allNotes(site.fixture)).length
  const calls = site.upstream.calls.length
  await work()
  const notes = (await allNotes(site.fixture)).length - before
  expect(site.upstream.calls.length - calls).toBe(notes)
  return notes
}

function expectReplayOf(first: Sent, replay: Sent): void {
  expect(replay.replayed).toBe(true)
  expect(replay.status).toBe(first.status)
  expect(replay.bytes.equals(first.bytes)).toBe(true)
}

describe('a key that was used before', () => {
  it('IDEM-04 replays status and bytes, without another effect or upstream call', async () => {
    const first = await guest.send({ key })
    expect([first.status, first.replayed]).toEqual([201, false])
    const effects = await countEffects(async () => {
      const replay = await guest.send({ key, headers: { 'x-request-id': newId('req') } })
      expectReplayOf(first, replay)
      expect(replay.headers['location']).toBe(first.headers['location'])
      expect(replay.headers['content-type']).toBe(first.headers['content-type'])
      expect(replay.headers['set-cookie']).toBeUndefined()
      expect(replay.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    })
    expect(effects).toBe(0)
  })

  it.each([
    ['other order and whitespace', '{ "stars": 2,\n "text": "a" }'],
    ['another form of the number', '{"text":"a","stars":2.0}'],
    ['an exponent', '{"text":"a","stars":20e-1}'],
    ['an escaped letter', String.raw`{"text":"\u0061","stars":2}`],
  ])('IDEM-05 replays when the body differs only by %s', async (_name, body) => {
    const first = await guest.send({ key, body: '{"text":"a","stars":2}' })
    expectReplayOf(first, await guest.send({ key, body }))
  })

  it('IDEM-05 replays when a default is spelled out', async () => {
    const first = await guest.send({ key, body: { text: 'a' } })
    expectReplayOf(first, await guest.send({ key, body: { text: 'a', stars: 1 } }))
  })

  it('IDEM-06 rejects another body with 422 and still replays the first result', async () => {
    const first = await guest.send({ key, body: { text: 'a' } })
    const effects = await countEffects(async () => {
      const other = await guest.send({ key, body: { text: 'b' } })
      expect([other.status, other.code]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
      expect(other.headers['link']).toContain('rel="describedby"')
      expectReplayOf(first, await guest.send({ key, body: { text: 'a' } }))
    })
    expect(effects).toBe(0)
  })

  it('IDEM-06 counts the parameters of the route as part of the request', async () => {
    await guest.send({ key, path: '/rooms/1/notes' })
    const other = await guest.send({ key, path: '/rooms/2/notes' })
    expect([other.status, other.code]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
  })

  it('IDEM-07 rejects another currency with 422', async () => {
    await guest.send({ key, headers: { 'x-currency': 'AFN' } })
    const other = await guest.send({ key, headers: { 'x-currency': 'USD' } })
    expect([other.status, other.code]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
    const silent = await guest.send({ key, headers: { 'accept-language': 'fa-AF' } })
    expect(silent.status).toBe(422)
    const same = { 'x-currency': 'AFN', 'accept-language': 'fa-AF' }
    expect((await guest.send({ key, headers: same })).replayed).toBe(true)
  })

  it('IDEM-08 is another key on another route or with another method', async () => {
    const effects = await countEffects(async () => {
      const sent = [
        await guest.send({ key }),
        await guest.send({ key, method: 'PATCH' }),
        await guest.send({ key, path: '/rooms/1/notes' }),
      ]
      expect(sent.map(({ status, replayed }) => [status, replayed])).toEqual(
        sent.map(() => [201, false]),
      )
    })
    expect(effects).toBe(3)
  })

  it('D24 is the same key through another address of the same operation', async () => {
    const effects = await countEffects(async () => {
      const first = await guest.send({ key, path: '/rooms/1/notes' })
      const other = await guest.send({ key, path: '/hotels/serena/rooms/1/notes' })
      expect([first.replayed, other.replayed, other.text]).toEqual([false, true, first.text])
      const differs = await guest.send({ key, path: '/hotels/serena/rooms/2/notes' })
      expect(differs.code).toBe('MELMASTOON.IDEMPOTENCY.KEY_REUSED')
    })
    expect(effects).toBe(1)
  })

  it('D24 can be looked up for all operations of its principal only', async () => {
    await guest.send({ key })
    await guest.send({ key, path: '/writes' })
    site.upstream.mode = 'fails'
    await guest.send({ key, path: '/bookings' })
    site.upstream.mode = 'responds'
    const caller = {
      service: 'guest-book',
      tenantId: guest.tenant as TenantId,
      principal: guest.session,
      key,
    }
    const { store } = site.fixture
    expect(await lookupKey(store, caller)).toEqual([
      { operation: 'booking.place', status: null },
      { operation: 'note.place', status: 201 },
      { operation: 'write.place', status: 201 },
    ])
    expect(await lookupKey(store, { ...caller, principal: 'another' })).toEqual([])
    expect(await lookupKey(store, { ...caller, tenantId: newId('tnt') })).toEqual([])
  })

  it('IDEM-09 is another key for another tenant or session, and does not reveal the first', async () => {
    const first = await guest.send({ key, body: { text: 'mine' } })
    const strangers = [
      new Guest(site.base, newId('tnt'), guest.session),
      new Guest(site.base, guest.tenant, newId('gms')),
    ]
    for (const stranger of strangers) {
      const fresh = await stranger.send({ key: newKey(), body: { text: 'other' } })
      const sent = await stranger.send({ key, body: { text: 'other' } })
      expect([sent.status, sent.replayed]).toEqual([201, false])
      expect(Object.keys(sent.headers)).toEqual(Object.keys(fresh.headers))
      expect(sent.text).toHaveLength(fresh.text.length)
      expect(sent.text).not.toBe(first.text)
    }
    expectReplayOf(first, await guest.send({ key, body: { text: 'mine' } }))
  })
})

describe('outcomes that are not stored', () => {
  it('IDEM-13 accept a corrected body under the key of an invalid body', async () => {
    const effects = await countEffects(async () => {
      const wrong = await guest.send({ key, body: { text: '' } })
      expect([wrong.status, wrong.code]).toEqual([400, 'MELMASTOON.GENERAL.VALIDATION_FAILED'])
      const corrected = await guest.send({ key, body: { text: 'a' } })
      expect([corrected.status, corrected.replayed]).toEqual([201, false])
    })
    expect(effects).toBe(1)
  })

  it.each([401, 403, 429] as const)(
    'IDEM-14 executes what was rejected with %i before',
    async (status) => {
      rejectedSessions.set(guest.session, status)
      expect((await guest.send({ key })).status).toBe(status)
      rejectedSessions.delete(guest.session)
      const allowed = await guest.send({ key })
      expect([allowed.status, allowed.replayed]).toEqual([201, false])
    },
  )
})

describe('outcomes that are stored', () => {
  it('IDEM-17 replays a final rejection, even after its cause was removed', async () => {
    site.upstream.mode = 'declines'
    const first = await guest.send({ key })
    expect([first.status, first.code]).toEqual([
      422,
      'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED',
    ])
    site.upstream.mode = 'responds'
    const effects = await countEffects(async () => expectReplayOf(first, await guest.send({ key })))
    expect(effects).toBe(0)
  })

  it.each([401, 403] as const)(
    'IDEM-25 sends no stored response to a caller that is rejected with %i now',
    async (status) => {
      const first = await guest.send({ key })
      rejectedSessions.set(guest.session, status)
      const rejected = await guest.send({ key })
      rejectedSessions.delete(guest.session)
      expect([rejected.status, rejected.replayed]).toEqual([status, false])
      expect(rejected.text).not.toContain((JSON.parse(first.text) as { id: string }).id)
      expectReplayOf(first, await guest.send({ key }))
    },
  )

  it.each([
    ['empty', 204, 0],
    ['binary', 200, 6],
  ])('IDEM-26 replays an %s response unchanged', async (shape, status, length) => {
    const sending = { key, path: `/shapes/${shape}`, body: {} }
    const first = await guest.send(sending)
    expect([first.status, first.bytes.length]).toEqual([status, length])
    const replay = await guest.send(sending)
    expectReplayOf(first, replay)
    expect(replay.headers['content-type']).toBe(first.headers['content-type'])
  })

  it.each([
    ['a response over the limit', 'huge'],
    ['a rejection that is returned instead of thrown', 'missing'],
  ])('IDEM-26 treats %s as a defect of the route and stores nothing', async (_name, shape) => {
    for (const attempt of [1, 2]) {
      const sent = await guest.send({ key, path: `/shapes/${shape}`, body: { attempt: 1 } })
      expect([attempt, sent.status, sent.code]).toEqual([
        attempt,
        500,
        'MELMASTOON.GENERAL.INTERNAL',
      ])
    }
  })

  it('IDEM-28 compares a record by the fingerprint version that it was stored with', async () => {
    const first = await guest.send({ key })
    const second = ({ body }: { body: unknown }) => `second ${JSON.stringify(body)}`
    const algorithms = { ...FINGERPRINT_VERSIONS.algorithms, 3: second }
    const fingerprints = { current: 3, algorithms }
    const newer = guest.at(await site.listen({ fingerprints }))
    expectReplayOf(first, await newer.send({ key }))
    expect((await newer.send({ key, body: { text: 'other' } })).status).toBe(422)
    const fresh = newKey()
    expect((await newer.send({ key: fresh })).status).toBe(201)
    expect((await guest.send({ key: fresh })).status).toBe(422)
  })

  it('IDEM-28 resumes unfinished work that was recorded under an older fingerprint', async () => {
    site.upstream.mode = 'fails'
    expect((await guest.send({ key })).status).toBe(503)
    site.upstream.mode = 'responds'
    const algorithms = { ...FINGERPRINT_VERSIONS.algorithms, 3: () => 'second' }
    const newer = guest.at(await site.listen({ fingerprints: { current: 3, algorithms } }))
    const resumed = await newer.send({ key })
    expect([resumed.status, resumed.headers['x-attempt']]).toEqual([201, '2'])
    expectReplayOf(resumed, await guest.send({ key }))
  })
})
