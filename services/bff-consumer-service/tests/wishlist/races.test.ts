import type { Database, Queryable, Statement, Tx } from '@melmastoon/chassis/db'
import { type GuestSessionId, idToUuid, newId, type PropertyId } from '@melmastoon/domain'
import { barrier, eventually, latch } from '@melmastoon/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GuestSession, GuestSessionData } from '../../src/sessions/guest-session.ts'
import { decideWish } from '../../src/wishlist/decide-wish.ts'
import { refsOf, syncWishlist } from '../../src/wishlist/sync-wishlist.ts'
import { lockWishlist, selectWishes } from '../../src/wishlist/wishlist-sql.ts'
import { sessionBy } from '../harness/guest-sessions.ts'
import {
  hotelsOf,
  meetWishing,
  mirrorOf,
  sessionOf,
  startTwins,
  type Twins,
  type WishingGuest,
} from '../harness/wishlist-client.ts'

const CAP = 100

/** A hundred and twenty transactions one after the other, on a machine that has other work. */
const PATIENCE = { timeout: 60_000 }

let twins: Twins

beforeAll(async () => {
  twins = await startTwins(130)
})
afterAll(() => twins[Symbol.asyncDispose]())

const byName = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b))
const urlOf = (turn: number) => (turn % 2 === 0 ? twins.one : twins.other).url

/** So many wishes without asking for each. */
async function fill({ id }: WishingGuest, ids: readonly string[]): Promise<void> {
  const guest = idToUuid(id as GuestSessionId)
  const uuid = (propertyId: string) => idToUuid(propertyId as PropertyId)
  const rows = ids.map(
    (propertyId) =>
      `('${idToUuid(newId('wsh'))}', '${guest}', '${uuid(propertyId)}',
        '${idToUuid(newId('tnt'))}', 'list')`,
  )
  await twins.environment.query(`insert into bff_consumer.wishlist_anonymous
       (wishlist_id, guest_session_id, property_id, target_tenant_id, source)
     values ${rows.join(', ')}`)
}

describe('C6 the cap', () => {
  it('holds when 120 hotels are added at once through two instances', PATIENCE, async () => {
    const guest = await meetWishing(twins.one.url)
    const wanted = twins.ids.slice(0, 120)
    const answers = await Promise.all(wanted.map((id, at) => guest.add(id, { at: urlOf(at) })))
    const added = wanted.filter((_, at) => answers[at]?.status === 201)
    expect(added).toHaveLength(CAP)
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body['code']]).toEqual([
        422,
        'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED',
      ])
      expect(body['errors']).toMatchObject([{ pointer: '/propertyId', code: 'limit' }])
    }
    const sizes = answers.flatMap(({ status, body }) => (status === 201 ? [body['size']] : []))
    expect(sizes.map(Number).toSorted((a, b) => a - b)).toEqual(added.map((_, at) => at + 1))
    const mirror = await mirrorOf(twins.environment, guest)
    expect(byName(mirror)).toEqual(byName(added))
    expect(await sessionOf(twins.one, guest)).toEqual(mirror)
    expect(hotelsOf(await guest.list('', twins.other.url))).toEqual(mirror.toReversed())
  })

  it('refuses no hotel that is there, and takes another when one is removed', async () => {
    const guest = await meetWishing(twins.one.url)
    await fill(guest, twins.ids.slice(0, CAP))
    const [there = '', beyond = ''] = [twins.ids[7], twins.ids[CAP]]
    expect((await guest.add(there)).status).toBe(200)
    const key = newId('req')
    expect((await guest.add(beyond, { key })).status).toBe(422)
    await guest.remove(there)
    // The refusal was of that moment: the same request, sent again, is decided anew.
    expect((await guest.add(beyond, { key })).status).toBe(201)
    expect(await mirrorOf(twins.environment, guest)).toHaveLength(CAP)
  })

  interface Together {
    readonly lock: (guest: GuestSessionId) => Statement<unknown> | undefined
    /** Between counting and writing. */
    readonly meanwhile: () => Promise<void>
  }

  /** Two transactions of two instances, each about to add the hundredth hotel. */
  async function addTwo({ lock, meanwhile }: Together) {
    const guest = await meetWishing(twins.one.url)
    await fill(guest, twins.ids.slice(0, CAP - 1))
    const guestSessionId = guest.id as GuestSessionId
    const add = (db: Database, propertyId: string | undefined) =>
      db.transaction(async (tx) => {
        const before = lock(guestSessionId)
        if (before !== undefined) await tx.query(before)
        await decideWish(afterFirst(tx, meanwhile), {
          wishlistId: newId('wsh'),
          guestSessionId,
          propertyId: propertyId as PropertyId,
          tenantId: newId('tnt'),
          source: 'list',
          note: undefined,
        })
      })
    const [first, second] = twins.ids.slice(CAP)
    const adding = [add(twins.one.ctx.db, first), add(twins.other.ctx.db, second)]
    const settled = await Promise.allSettled(adding)
    const added = settled.filter(({ status }) => status === 'fulfilled').length
    return { added, size: (await mirrorOf(twins.environment, guest)).length }
  }

  async function someoneWaits(): Promise<void> {
    await eventually(async () => {
      const [row] = await twins.environment.query<{
        n: number
      }>(`select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`)
      expect(row?.n).toBe(1)
    })
  }

  it('lets one of two in who would both be the hundredth', async () => {
    let turn = 0
    const meanwhile = async () => {
      turn += 1
      if (turn === 1) await someoneWaits()
    }
    expect(await addTwo({ lock: lockWishlist, meanwhile })).toEqual({ added: 1, size: CAP })
  })

  it('control: without the lock both have counted before either writes, and are let in', async () => {
    const counted = barrier(2)
    const meanwhile = () => counted.arrive()
    expect(await addTwo({ lock: () => undefined, meanwhile })).toEqual({ added: 2, size: CAP + 1 })
  })
})

/** As `tx`, with something in between its first answer and the next question. */
function afterFirst(tx: Tx, between: () => Promise<void>): Tx {
  let isFirst = true
  return {
    async query(statement) {
      const rows = await tx.query(statement)
      if (isFirst) {
        isFirst = false
        await between()
      }
      return rows
    },
    onCommit: (effect) => tx.onCommit(effect),
  }
}

it('C6 has a hotel once that is added many times at once', PATIENCE, async () => {
  const guest = await meetWishing(twins.one.url)
  const [hotel = ''] = twins.ids
  const adding = Array.from({ length: 12 }, (_, at) => guest.add(hotel, { at: urlOf(at) }))
  const answers = await Promise.all(adding)
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => b - a)
  expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 200)])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
})

describe('C6 session and database', () => {
  const step = fc.record({ hotel: fc.nat(7), isAdd: fc.boolean(), instance: fc.nat(1) })

  it('end equal, whatever is added and removed through whichever instance', PATIENCE, async () => {
    const run = async (steps: readonly { hotel: number; isAdd: boolean; instance: number }[]) => {
      const guest = await meetWishing(twins.one.url)
      const model = new Map<string, boolean>()
      const chains = new Map<string, Promise<unknown>>()
      for (const { hotel, isAdd, instance } of steps) {
        const id = twins.ids[hotel] ?? ''
        model.set(id, isAdd)
        const change = () => guest[isAdd ? 'add' : 'remove'](id, { at: urlOf(instance) })
        // Of one hotel in order, of all of them at once.
        chains.set(id, (chains.get(id) ?? Promise.resolve()).then(change))
      }
      await Promise.all(chains.values())
      const mirror = await mirrorOf(twins.environment, guest)
      const expected = [...model].flatMap(([id, isThere]) => (isThere ? [id] : []))
      expect(byName(mirror)).toEqual(byName(expected))
      expect(await sessionOf(twins.one, guest)).toEqual(mirror)
    }
    const steps = fc.array(step, { minLength: 4, maxLength: 32 })
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 8, endOnFailure: true })
  })

  /** One sync has read the wishes, and before it writes another wish comes and is synced. */
  async function overtake(
    sync: (db: Queryable, guest: GuestSession) => Promise<unknown>,
  ): Promise<{ session: string[]; mirror: string[] }> {
    const guest = await meetWishing(twins.one.url)
    const [first = '', second = ''] = twins.ids
    await guest.add(first)
    const hasRead = latch()
    const goOn = latch()
    const slow: Queryable = {
      async query(statement) {
        const rows = await twins.one.ctx.db.query(statement)
        hasRead.open()
        await goOn.promise
        return rows
      },
    }
    const syncing = sync(slow, await sessionBy(twins.one, guest))
    await hasRead.promise
    expect((await guest.add(second, { at: twins.other.url })).status).toBe(201)
    goOn.open()
    await syncing
    return {
      session: await sessionOf(twins.one, guest),
      mirror: await mirrorOf(twins.environment, guest),
    }
  }

  it('do not part when one sync overtakes another', async () => {
    const { sessions } = twins.one.ctx
    const { session, mirror } = await overtake((db, guest) =>
      syncWishlist({ db: db as Database, sessions }, guest),
    )
    expect([session, session.length]).toEqual([mirror, 2])
  })

  it('control: read the other way round, an old list is written over a new one', async () => {
    const { sessions } = twins.one.ctx
    const { session, mirror } = await overtake(async (db, guest) => {
      const wishlistRefs = refsOf(await db.query(selectWishes(guest.id)))
      await sessions.update(guest, (data: GuestSessionData) => ({ ...data, wishlistRefs }))
    })
    expect([session.length, mirror.length]).toEqual([1, 2])
  })

  /** As a crash between the commit and the update of the session leaves it. */
  async function missedChange() {
    const guest = await meetWishing(twins.one.url)
    await guest.add(twins.ids[0] ?? '')
    await fill(guest, twins.ids.slice(1, 3))
    expect(await sessionOf(twins.one, guest)).toHaveLength(1)
    return guest
  }

  it('a session that missed a change is repaired when the wishlist is read', async () => {
    const guest = await missedChange()
    expect(hotelsOf(await guest.list())).toHaveLength(3)
    expect(await sessionOf(twins.one, guest)).toEqual(await mirrorOf(twins.environment, guest))
  })

  it('a session that missed a change is repaired when the session is read', async () => {
    const guest = await missedChange()
    const { body } = await guest.session()
    expect(body['wishlistRefs']).toHaveLength(3)
    expect(await sessionOf(twins.one, guest)).toEqual(await mirrorOf(twins.environment, guest))
  })

  it('a session without a record that missed its first wish is repaired, too', async () => {
    const guest = await meetWishing(twins.one.url)
    await fill(guest, twins.ids.slice(0, 1))
    const { body } = await guest.session()
    expect(body['wishlistRefs']).toMatchObject([{ propertyId: twins.ids[0] }])
    expect(await sessionOf(twins.one, guest)).toEqual([twins.ids[0]])
  })

  it('what is added while the session ends is not left behind', async () => {
    const guest = await meetWishing(twins.one.url)
    await guest.add(twins.ids[0] ?? '')
    const { sessions } = twins.one.ctx
    const known = await sessionBy(twins.one, guest)
    const loadNow = sessions.loadNow.bind(sessions)
    // The instance still remembers her, as it does for a moment after any request.
    sessions.loadNow = (cookie) => (guest.cookie.endsWith(cookie.value) ? known : loadNow(cookie))
    await twins.other.ctx.sessions.clear(guest.id)
    const added = await guest.add(twins.ids[1] ?? '')
    sessions.loadNow = loadNow
    expect(added.status).toBe(201)
    expect(await mirrorOf(twins.environment, guest)).toEqual([twins.ids[0]])
  })
})
