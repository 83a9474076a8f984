import { createDeadline } from '@melmastoon/chassis/clock'
import { sql } from '@melmastoon/chassis/db'
import { newId } from '@melmastoon/domain'
import { latch, startTcpProxy, type TcpProxy, type TestDatabase } from '@melmastoon/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asAdmin, failureOf, notesDatabase, open } from './fixture.ts'

const UNAVAILABLE = 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'
const EXCEEDED = 'MELMASTOON.GENERAL.DEADLINE_EXCEEDED'
const DEADLINE_MS = 300
/** Far from the deadline, so that a wait that ignores it is detected. */
const SLOW_MS = 4_000

let database: TestDatabase
let proxy: TcpProxy

beforeAll(async () => {
  database = await notesDatabase()
  proxy = await startTcpProxy(database.appUrl)
})
afterEach(() => proxy.setMode({ kind: 'pass' }))
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const slow = { responseTimeoutMs: SLOW_MS, connectTimeoutMs: SLOW_MS }
const one = sql`select 1 as one`

async function timed(work: (deadline: { deadline: ReturnType<typeof createDeadline> }) => unknown) {
  using deadline = createDeadline(DEADLINE_MS)
  const startedMs = performance.now()
  const failure = await failureOf(Promise.resolve(work({ deadline })))
  return { failure, tookMs: performance.now() - startedMs }
}

describe('P17 a deadline bounds', () => {
  it('a statement whose response does not arrive, and destroys the connection', async () => {
    await using db = open(proxy.url, { ...slow, poolMax: 1 })
    await db.query(one)
    await proxy.setMode({ kind: 'blackhole' })
    const { failure, tookMs } = await timed((options) => db.query(one, options))
    expect(failure).toBe(UNAVAILABLE)
    expect(tookMs).toBeLessThan(SLOW_MS / 2)
    expect(db.poolState().total).toBe(0)
    await proxy.setMode({ kind: 'pass' })
    expect(await db.query(one)).toEqual([{ one: 1 }])
  })

  it('a statement of a transaction, without waiting for its rollback', async () => {
    await using db = open(proxy.url, { ...slow, poolMax: 1 })
    const { failure, tookMs } = await timed((options) =>
      db.withTenant(
        newId('tnt'),
        async (tx) => {
          await tx.query(one)
          await proxy.setMode({ kind: 'blackhole' })
          await tx.query(one)
        },
        options,
      ),
    )
    expect([failure, db.poolState().total]).toEqual([UNAVAILABLE, 0])
    expect(tookMs).toBeLessThan(SLOW_MS / 2)
  })

  it('the wait for a connection of a busy pool, whose next connection stays usable', async () => {
    await using db = open(database.appUrl, { ...slow, poolMax: 1 })
    const held = latch()
    const holder = db.transaction(() => held.promise)
    const { failure, tookMs } = await timed((options) => db.query(one, options))
    expect(failure).toBe('MELMASTOON.GENERAL.OVERLOADED')
    expect(tookMs).toBeLessThan(SLOW_MS / 2)
    held.open()
    await holder
    expect(await db.query(one)).toEqual([{ one: 1 }])
    expect(db.poolState()).toMatchObject({ total: 1, idle: 1, waiting: 0 })
  })

  it('the wait for a connection while no connection gets a response', async () => {
    await using db = open(proxy.url, { ...slow, poolMax: 1 })
    await db.query(one)
    await proxy.setMode({ kind: 'blackhole' })
    using longer = createDeadline(2 * DEADLINE_MS)
    const stuck = failureOf(db.query(one, { deadline: longer }))
    const { failure, tookMs } = await timed((options) => db.query(one, options))
    expect(failure).toBe(UNAVAILABLE)
    expect(tookMs).toBeLessThan(SLOW_MS / 2)
    expect(await stuck).toBe(UNAVAILABLE)
  })

  it('the connection attempt', async () => {
    await proxy.setMode({ kind: 'blackhole' })
    const db = open(proxy.url, slow)
    const { failure, tookMs } = await timed((options) => db.query(one, options))
    expect(failure).toBe(UNAVAILABLE)
    expect(tookMs).toBeLessThan(SLOW_MS / 2)
    await proxy.setMode({ kind: 'reset' })
    await db[Symbol.asyncDispose]()
  })

  it('nothing that it has not begun: past it no statement is sent, and no connection lost', async () => {
    await using db = open(database.appUrl, { ...slow, poolMax: 1 })
    const pid = () => db.query(sql<{ pid: number }>`select pg_backend_pid() as pid`)
    const before = await pid()
    using past = createDeadline(0)
    const options = { deadline: past }
    expect(await failureOf(db.query(sql`select pg_sleep(0.05)`, options))).toBe(EXCEEDED)
    expect(await failureOf(db.transaction((tx) => tx.query(one), options))).toBe(EXCEEDED)
    expect(await pid()).toEqual(before)
  })

  it('also the work of the server, so that abandoned statements do not pile up there', async () => {
    await using db = open(database.appUrl, { ...slow, poolMax: 1 })
    const running = () =>
      asAdmin(database.adminUrl, async (client) => {
        const { rows } = await client.query(
          `select from pg_stat_activity
           where state = 'active' and query like 'select pg_sleep(4.5)%'`,
        )
        return rows.length
      })
    const { failure } = await timed((options) => db.query(sql`select pg_sleep(4.5)`, options))
    expect([failure, await running()]).toEqual([UNAVAILABLE, 1])
    await expect.poll(running, { timeout: SLOW_MS / 2 }).toBe(0)
  })

  it('no caller without one, who waits for the default timeout', async () => {
    await using db = open(proxy.url, { responseTimeoutMs: 3 * DEADLINE_MS, poolMax: 1 })
    await db.query(one)
    await proxy.setMode({ kind: 'blackhole' })
    const { failure, tookMs } = await timed(() => db.query(one))
    expect(failure).toBe(UNAVAILABLE)
    expect(tookMs).toBeGreaterThan(2 * DEADLINE_MS)
  })
})
