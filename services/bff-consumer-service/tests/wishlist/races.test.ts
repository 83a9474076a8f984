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
  sessionOf,
  startTwoInstances,
  startWishlistClient,
  storedWishes,
  type TwoInstances,
  type WishlistClient,
} from '../harness/wishlist-client.ts'

const CAP = 100

/** 120 sequential transactions on a busy machine. */
const LONG_TIMEOUT = { timeout: 60_000 }

let instances: TwoInstances

beforeAll(async () => {
  instances = await startTwoInstances(130)
})
afterAll(() => instances[Symbol.asyncDispose]())

const byName = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b))
const urlOf = (turn: number) => (turn % 2 === 0 ? instances.one : instances.other).url

/** Inserts wishes without a request for each. */
async function fill({ id }: WishlistClient, ids: readonly string[]): Promise<void> {
  const guest = idToUuid(id as GuestSessionId)
  const uuid = (propertyId: string) => idToUuid(propertyId as PropertyId)
  const rows = ids.map(
    (propertyId) =>
      `('${idToUuid(newId('wsh'))}', '${guest}', '${uuid(propertyId)}',
        '${idToUuid(newId('tnt'))}', 'list')`,
  )
  await instances.environment.query(`insert into bff_consumer.wishlist_anonymous
       (wishlist_id, guest_session_id, property_id, target_tenant_id, source)
     values ${rows.join(', ')}`)
}

describe('C6 the cap', () => {
  it('holds for 120 concurrent additions through two instances', LONG_TIMEOUT, async () => {
    const guest = await startWishlistClient(instances.one.url)
    const wanted = instances.ids.slice(0, 120)
    const responses = await Promise.all(wanted.map((id, at) => guest.add(id, { at: urlOf(at) })))
    const added = wanted.filter((_, at) => responses[at]?.status === 201)
    expect(added).toHaveLength(CAP)
    for (const { status, body } of responses.filter((response) => response.status !== 201)) {
      expect([status, body['code']]).toEqual([
        422,
        'MELMASTOON.BFF.CONSUMER.WISHLIST_LIMIT_EXCEEDED',
      ])
      expect(body['errors']).toMatchObject([{ pointer: '/propertyId', code: 'limit' }])
    }
    const sizes = responses.flatMap(({ status, body }) => (status === 201 ? [body['size']] : []))
    expect(sizes.map(Number).toSorted((a, b) => a - b)).toEqual(added.map((_, at) => at + 1))
    const mirror = await storedWishes(instances.environment, guest)
    expect(byName(mirror)).toEqual(byName(added))
    expect(await sessionOf(instances.one, guest)).toEqual(mirror)
    expect(hotelsOf(await guest.list('', instances.other.url))).toEqual(mirror.toReversed())
  })

  it('accepts hotels already in the list, and another one after a removal', async () => {
    const guest = await startWishlistClient(instances.one.url)
    await fill(guest, instances.ids.slice(0, CAP))
    const [there = '', beyond = ''] = [instances.ids[7], instances.ids[CAP]]
    expect((await guest.add(there)).status).toBe(200)
    const key = newId('req')
    expect((await guest.add(beyond, { key })).status).toBe(422)
    await guest.remove(there)
    // Rejections are not stored: the same request is evaluated again.
    expect((await guest.add(beyond, { key })).status).toBe(201)
    expect(await storedWishes(instances.environment, guest)).toHaveLength(CAP)
  })

  interface Together {
    readonly lock: (guest: GuestSessionId) => Statement<unknown> | undefined
    /** The point between counting and writing. */
    readonly meanwhile: () => Promise<void>
  }

  /** Two transactions of two instances, each about to add the hundredth hotel. */
  async function addTwo({ lock, meanwhile }: Together) {
    const guest = await startWishlistClient(instances.one.url)
    await fill(guest, instances.ids.slice(0, CAP - 1))
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
    const [first, second] = instances.ids.slice(CAP)
    const adding = [add(instances.one.ctx.db, first), add(instances.other.ctx.db, second)]
    const settled = await Promise.allSettled(adding)
    const added = settled.filter(({ status }) => status === 'fulfilled').length
    return { added, size: (await storedWishes(instances.environment, guest)).length }
  }

  async function untilLockIsAwaited(): Promise<void> {
    await eventually(async () => {
      const [row] = await instances.environment.query<{
        n: number
      }>(`select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`)
      expect(row?.n).toBe(1)
    })
  }

  it('accepts one of two concurrent hundredth wishes', async () => {
    let turn = 0
    const meanwhile = async () => {
      turn += 1
      if (turn === 1) await untilLockIsAwaited()
    }
    expect(await addTwo({ lock: lockWishlist, meanwhile })).toEqual({ added: 1, size: CAP })
  })

  it('control: without the lock both count before either writes, and both are accepted', async () => {
    const counted = barrier(2)
    const meanwhile = () => counted.arrive()
    expect(await addTwo({ lock: () => undefined, meanwhile })).toEqual({ added: 2, size: CAP + 1 })
  })
})

/** Like `tx`, with a step between the first result and the next query. */
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

it('C6 stores a hotel once for many concurrent additions', LONG_TIMEOUT, async () => {
  const guest = await startWishlistClient(instances.one.url)
  const [hotel = ''] = instances.ids
  const adding = Array.from({ length: 12 }, (_, at) => guest.add(hotel, { at: urlOf(at) }))
  const responses = await Promise.all(adding)
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => b - a)
  expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 200)])
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
})

describe('C6 session and database', () => {
  const step = fc.record({ hotel: fc.nat(7), isAdd: fc.boolean(), instance: fc.nat(1) })

  it(
    'are equal after concurrent additions and removals through both instances',
    LONG_TIMEOUT,
    async () => {
      const run = async (steps: readonly { hotel: number; isAdd: boolean; instance: number }[]) => {
        const guest = await startWishlistClient(instances.one.url)
        const model = new Map<string, boolean>()
        const chains = new Map<string, Promise<unknown>>()
        for (const { hotel, isAdd, instance } of steps) {
          const id = instances.ids[hotel] ?? ''
          model.set(id, isAdd)
          const change = () => guest[isAdd ? 'add' : 'remove'](id, { at: urlOf(instance) })
          // In order for one hotel, concurrently for different ones.
          chains.set(id, (chains.get(id) ?? Promise.resolve()).then(change))
        }
        await Promise.all(chains.values())
        const mirror = await storedWishes(instances.environment, guest)
        const expected = [...model].flatMap(([id, isThere]) => (isThere ? [id] : []))
        expect(byName(mirror)).toEqual(byName(expected))
        expect(await sessionOf(instances.one, guest)).toEqual(mirror)
      }
      const steps = fc.array(step, { minLength: 4, maxLength: 32 })
      await fc.assert(fc.asyncProperty(steps, run), { numRuns: 8, endOnFailure: true })
    },
  )

  /** One sync has read the wishes; before it writes, another wish is added and synced. */
  async function overtake(
    sync: (db: Queryable, guest: GuestSession) => Promise<unknown>,
  ): Promise<{ session: string[]; mirror: string[] }> {
    const guest = await startWishlistClient(instances.one.url)
    const [first = '', second = ''] = instances.ids
    await guest.add(first)
    const hasRead = latch()
    const goOn = latch()
    const slow: Queryable = {
      async query(statement) {
        const rows = await instances.one.ctx.db.query(statement)
        hasRead.open()
        await goOn.promise
        return rows
      },
    }
    const syncing = sync(slow, await sessionBy(instances.one, guest))
    await hasRead.promise
    expect((await guest.add(second, { at: instances.other.url })).status).toBe(201)
    goOn.open()
    await syncing
    return {
      session: await sessionOf(instances.one, guest),
      mirror: await storedWishes(instances.environment, guest),
    }
  }

  it('stay equal when one sync overtakes another', async () => {
    const { sessions } = instances.one.ctx
    const { session, mirror } = await overtake((db, guest) =>
      syncWishlist({ db: db as Database, sessions }, guest),
    )
    expect([session, session.length]).toEqual([mirror, 2])
  })

  it('control: read in the opposite order, an old list overwrites a new one', async () => {
    const { sessions } = instances.one.ctx
    const { session, mirror } = await overtake(async (db, guest) => {
      const wishlistRefs = refsOf(await db.query(selectWishes(guest.id)))
      await sessions.update(guest, (data: GuestSessionData) => ({ ...data, wishlistRefs }))
    })
    expect([session.length, mirror.length]).toEqual([1, 2])
  })

  /** The state after a crash between the commit and the session update. */
  async function missedChange() {
    const guest = await startWishlistClient(instances.one.url)
    await guest.add(instances.ids[0] ?? '')
    await fill(guest, instances.ids.slice(1, 3))
    expect(await sessionOf(instances.one, guest)).toHaveLength(1)
    return guest
  }

  it('a session that missed a change is repaired when the wishlist is read', async () => {
    const guest = await missedChange()
    expect(hotelsOf(await guest.list())).toHaveLength(3)
    expect(await sessionOf(instances.one, guest)).toEqual(
      await storedWishes(instances.environment, guest),
    )
  })

  it('a session that missed a change is repaired when the session is read', async () => {
    const guest = await missedChange()
    const { body } = await guest.session()
    expect(body['wishlistRefs']).toHaveLength(3)
    expect(await sessionOf(instances.one, guest)).toEqual(
      await storedWishes(instances.environment, guest),
    )
  })

  it('a session without a record that missed its first wish is repaired as well', async () => {
    const guest = await startWishlistClient(instances.one.url)
    await fill(guest, instances.ids.slice(0, 1))
    const { body } = await guest.session()
    expect(body['wishlistRefs']).toMatchObject([{ propertyId: instances.ids[0] }])
    expect(await sessionOf(instances.one, guest)).toEqual([instances.ids[0]])
  })

  it('a wish added while the session is cleared is deleted', async () => {
    const guest = await startWishlistClient(instances.one.url)
    await guest.add(instances.ids[0] ?? '')
    const { sessions } = instances.one.ctx
    const known = await sessionBy(instances.one, guest)
    const loadNow = sessions.loadNow.bind(sessions)
    // The instance still has the session cached, as after any request.
    sessions.loadNow = (cookie) => (guest.cookie.endsWith(cookie.value) ? known : loadNow(cookie))
    await instances.other.ctx.sessions.clear(guest.id)
    const added = await guest.add(instances.ids[1] ?? '')
    sessions.loadNow = loadNow
    expect(added.status).toBe(201)
    expect(await storedWishes(instances.environment, guest)).toEqual([instances.ids[0]])
  })
})
