import { rawSql, sql } from '@melmastoon/chassis/db'
import { fingerprint, lookupKey, writeOnce } from '@melmastoon/chassis/idempotency'
import { type EventId, idToUuid, newId } from '@melmastoon/domain'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { note } from '../outbox/outbox-schema.ts'
import { rejectedTexts, slowTexts } from './_app.ts'
import { Guest, newKey } from './_client.ts'
import { allNotes, createFixture, type Fixture, ISOLATED, OPEN } from './_database.ts'
import { type Site, startSite } from './_site.ts'

let site: Site
let guest: Guest
let key: string
const path = '/writes'

beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site[Symbol.asyncDispose]())
beforeEach(() => {
  guest = new Guest(site.base)
  key = newKey()
})

describe('a mutation in one statement', () => {
  it('is executed once by 50 concurrent requests, and all receive the same bytes', async () => {
    const before = (await allNotes(site.fixture)).length
    const sent = await Promise.all(Array.from({ length: 50 }, () => guest.send({ key, path })))
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201))
    expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1)
    expect((await allNotes(site.fixture)).length).toBe(before + 1)
  })

  it('rejects the key for another body', async () => {
    await guest.send({ key, path })
    const other = await guest.send({ key, path, body: { text: 'other' } })
    expect([other.status, other.code]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
  })

  it('stores its final rejection when the effect changes nothing', async () => {
    const sending = { key, path, body: { text: 'full house' } }
    const before = (await allNotes(site.fixture)).length
    const first = await guest.send(sending)
    expect([first.status, first.code, first.replayed]).toEqual([
      422,
      'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED',
      false,
    ])
    const second = await guest.send(sending)
    expect([second.replayed, second.text]).toEqual([true, first.text])
    expect((await allNotes(site.fixture)).length).toBe(before)
  })
})

describe('a rejection by a read before the statement', () => {
  afterEach(() => {
    rejectedTexts.clear()
    slowTexts.clear()
  })
  const FORBIDDEN = 'MELMASTOON.GENERAL.FORBIDDEN'

  it('does not replace the stored response of the same request', async () => {
    const first = await guest.send({ key, path })
    rejectedTexts.set('hello', FORBIDDEN)
    const again = await guest.send({ key, path })
    expect([again.status, again.replayed, again.text]).toEqual([201, true, first.text])
    expect((await guest.send({ key: newKey(), path })).code).toBe(FORBIDDEN)
  })

  it('does not hide that the key was used for another request', async () => {
    await guest.send({ key, path })
    rejectedTexts.set('other', FORBIDDEN)
    const other = await guest.send({ key, path, body: { text: 'other' } })
    expect([other.status, other.code]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
  })

  it('leaves the key unused: the request succeeds once the cause is removed', async () => {
    rejectedTexts.set('hello', FORBIDDEN)
    expect((await guest.send({ key, path })).code).toBe(FORBIDDEN)
    rejectedTexts.clear()
    const done = await guest.send({ key, path })
    expect([done.status, done.replayed]).toEqual([201, false])
  })

  it('is sent, or replaced by the stored response, also when the reads took all the time', async () => {
    const hurried = new Guest(await site.listen({ leaseMs: 500 }))
    const first = await hurried.send({ key, path })
    const TIMEOUT = 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'
    rejectedTexts.set('hello', TIMEOUT)
    slowTexts.add('hello')
    const again = await hurried.send({ key, path })
    expect([again.status, again.replayed, again.text]).toEqual([201, true, first.text])
    expect((await hurried.send({ key: newKey(), path })).code).toBe(TIMEOUT)
  })

  it('is stored and replayed if it is final', async () => {
    rejectedTexts.set('hello', 'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED')
    const first = await guest.send({ key, path })
    rejectedTexts.clear()
    const again = await guest.send({ key, path })
    expect([first.status, first.replayed, again.replayed]).toEqual([422, false, true])
    expect(again.text).toBe(first.text)
  })
})

describe.each([ISOLATED, OPEN])('writeOnce in schema %s', (schema) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await createFixture(schema)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  function write(scopeKey: string, parts: { mark: string; when?: boolean; event?: EventId }) {
    const scope = {
      service: 's',
      tenantId: schema === OPEN ? null : tenantId,
      principal: 'p',
      operation: 'o',
      key: scopeKey,
    }
    const tenant = scope.tenantId && idToUuid(scope.tenantId)
    const request = { scope, requestHash: fingerprint({}), ttlMs: 60_000 }
    const run = () =>
      writeOnce(fixture.store, request, {
        effect: sql`insert into note (tenant_id, mark, body)
          select ${tenant}::uuid, ${parts.mark}, '' from claimed
          where ${parts.when ?? true}::boolean returning 1`,
        events: [
          { ...note('o', 0), tenantId: scope.tenantId, eventId: parts.event ?? newId('evt') },
        ],
        response: { status: 201, body: { mark: parts.mark } },
      })
    return { run, scope }
  }
  const tenantId = newId('tnt')

  async function eventCount(): Promise<number> {
    const statement =
      schema === OPEN
        ? sql<{ n: number }>`select count(*)::int as n from idem_open.outbox`
        : sql<{ n: number }>`select count(*)::int as n from idem_isolated.outbox`
    const [row] = await fixture.admin.query<{ n: number }>(statement)
    return row?.n ?? 0
  }

  it('writes effect and event with the claim, and neither with a replay', async () => {
    const events = await eventCount()
    const first = write(newKey(), { mark: 'a' })
    expect(await first.run()).toMatchObject({ kind: 'done', response: { body: '{"mark":"a"}' } })
    const again = write(first.scope.key, { mark: 'b' })
    expect(await again.run()).toMatchObject({ kind: 'replay', response: { body: '{"mark":"a"}' } })
    expect((await eventCount()) - events).toBe(1)
    expect((await allNotes(fixture)).filter(({ mark }) => mark === 'b')).toHaveLength(0)
  })

  it('writes nothing when the effect changes no row', async () => {
    const events = await eventCount()
    const { run, scope } = write(newKey(), { mark: 'never', when: false })
    expect(await run()).toEqual({ kind: 'no_effect' })
    expect(await lookupKey(fixture.store, scope)).toEqual([])
    expect(await eventCount()).toBe(events)
  })

  it('writes to several tables, and to none when the first effect changes nothing', async () => {
    const scope = { service: 's', tenantId: null, principal: 'p', operation: 'o', key: newKey() }
    const scoped = schema === OPEN ? scope : { ...scope, tenantId }
    const tenant = scoped.tenantId && idToUuid(scoped.tenantId)
    const put = (mark: string, from: 'claimed' | 'effect', when = true) =>
      sql`insert into note (tenant_id, mark, body)
        select ${tenant}::uuid, ${mark}, '' from ${rawSql(from)}
        where ${when}::boolean returning 1`
    const run = (key: string, when: boolean) =>
      writeOnce(
        fixture.store,
        { scope: { ...scoped, key }, requestHash: fingerprint({}), ttlMs: 60_000 },
        {
          effect: put(`${key} first`, 'claimed', when),
          furtherEffects: [put(`${key} second`, 'effect'), put(`${key} third`, 'claimed')],
          response: { status: 204 },
        },
      )
    const [done, undone] = [newKey(), newKey()]
    expect(await run(done, true)).toMatchObject({ kind: 'done' })
    expect(await run(undone, false)).toEqual({ kind: 'no_effect' })
    const marks = (await allNotes(fixture)).map(({ mark }) => mark)
    expect(marks.filter((mark) => mark.startsWith(done)).toSorted()).toEqual(
      ['first', 'second', 'third'].map((name) => `${done} ${name}`),
    )
    expect(marks.filter((mark) => mark.startsWith(undone))).toEqual([])
  })

  it('undoes claim and effect when the event cannot be written', async () => {
    const event = newId('evt')
    await write(newKey(), { mark: 'first', event }).run()
    const { run, scope } = write(newKey(), { mark: 'undone', event })
    await expect(run()).rejects.toMatchObject({ code: 'MELMASTOON.GENERAL.CONFLICT' })
    expect(await lookupKey(fixture.store, scope)).toEqual([])
    expect((await allNotes(fixture)).filter(({ mark }) => mark === 'undone')).toHaveLength(0)
  })
})
