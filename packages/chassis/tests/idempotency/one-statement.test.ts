import { sql } from '@melmastoon/chassis/db'
import { fingerprint, lookupKey, oneStatement } from '@melmastoon/chassis/idempotency'
import { type EventId, idToUuid, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { note } from '../outbox/outbox-schema.ts'
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
  it('is carried out once by 50 concurrent sends, and all see the same bytes', async () => {
    const before = (await allNotes(site.fixture)).length
    const sent = await Promise.all(Array.from({ length: 50 }, () => guest.send({ key, path })))
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201))
    expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(sent.map(({ text }) => text)).size).toBe(1)
    expect((await allNotes(site.fixture)).length).toBe(before + 1)
  })

  it('refuses the key for another body', async () => {
    await guest.send({ key, path })
    const other = await guest.send({ key, path, body: { text: 'other' } })
    expect([other.status, other.code]).toEqual([422, 'MELMASTOON.IDEMPOTENCY.KEY_REUSED'])
  })

  it('stores its final refusal when the effect touches nothing', async () => {
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

describe.each([ISOLATED, OPEN])('oneStatement in schema %s', (schema) => {
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
      method: 'POST',
      route: '/r',
      key: scopeKey,
    }
    const tenant = scope.tenantId && idToUuid(scope.tenantId)
    const run = () =>
      oneStatement(fixture.store, scope, {
        requestHash: fingerprint({}),
        ttlMs: 60_000,
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

  it('writes nothing at all when the effect touches nothing', async () => {
    const events = await eventCount()
    const { run, scope } = write(newKey(), { mark: 'never', when: false })
    expect(await run()).toEqual({ kind: 'no_effect' })
    expect(await lookupKey(fixture.store, scope)).toEqual({ state: 'absent' })
    expect(await eventCount()).toBe(events)
  })

  it('undoes claim and effect when the event cannot be written', async () => {
    const event = newId('evt')
    await write(newKey(), { mark: 'first', event }).run()
    const { run, scope } = write(newKey(), { mark: 'undone', event })
    await expect(run()).rejects.toMatchObject({ code: 'MELMASTOON.GENERAL.CONFLICT' })
    expect(await lookupKey(fixture.store, scope)).toEqual({ state: 'absent' })
    expect((await allNotes(fixture)).filter(({ mark }) => mark === 'undone')).toHaveLength(0)
  })
})
