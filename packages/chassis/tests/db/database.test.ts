import { sql } from '@melmastoon/chassis/db'
import { eventually, latch, startTcpProxy, type TestDatabase } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  allNotes,
  failureOf,
  insertNote,
  newTenants,
  notesDatabase,
  open,
  terminate,
} from './fixture.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await notesDatabase()
})

afterAll(() => database[Symbol.asyncDispose]())

const backendPid = sql<{ pid: number }>`select pg_backend_pid() as pid`

describe('rows', () => {
  it('returns bigint as a number, dates as text and json as values', async () => {
    await using db = open(database.appUrl)
    const [row] = await db.query(
      sql`select 9007199254740991::int8 as big, '2026-02-03'::date as day,
        '2026-02-03T04:05:06Z'::timestamptz as moment, '{"a":[1]}'::jsonb as value,
        array[1, null]::int8[] as bigs, array['2026-02-03']::date[] as days,
        1.10::numeric as exact`,
    )
    expect(row).toEqual({
      big: 9007199254740991,
      day: '2026-02-03',
      moment: new Date('2026-02-03T04:05:06Z'),
      value: { a: [1] },
      bigs: [1, null],
      days: ['2026-02-03'],
      exact: '1.10',
    })
  })

  it('throws on a bigint beyond the safe integers, and reuses the connection', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    const [before] = await db.query(backendPid)
    const unsafe = db.query(sql`select 9007199254740992::int8 as big`)
    expect(await failureOf(unsafe)).toBe('RangeError')
    expect(await db.query(backendPid)).toEqual([before])
  })

  it('returns parameters unchanged', async () => {
    await using db = open(database.appUrl)
    const texts = ['a"b\\c', '', 'NULL', '{,}', 'سلام', null]
    const bytes = Buffer.from([0, 1, 255])
    const [row] = await db.query(sql`select ${texts}::text[] as texts, ${bytes}::bytea as bytes`)
    expect(row).toEqual({ texts, bytes })
  })
})

describe('flights', () => {
  it('prepares each text once per connection', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    const [tenant] = newTenants(1)
    if (tenant === undefined) throw new TypeError('no tenant')
    for (let round = 0; round < 3; round += 1) await db.tenantQuery(tenant, allNotes())
    const prepared = await db.query<{ statement: string; uses: number }>(
      sql`select statement, (generic_plans + custom_plans) as uses from pg_prepared_statements`,
    )
    const uses = new Map(prepared.map((each) => [each.statement, each.uses]))
    expect(uses.get(allNotes().text)).toBe(3)
    expect(uses.get("select set_config('app.tenant_id', $1, true)")).toBe(3)
  })

  it('prepares nothing when it is disabled', async () => {
    await using db = open(database.appUrl, { poolMax: 1, preparedStatements: false })
    await db.tenantQuery(newTenants(1)[0] ?? never(), allNotes())
    expect(await db.query(sql`select count(*) as n from pg_prepared_statements`)).toEqual([
      { n: 0 },
    ])
  })

  it('closes the oldest statements at the bound', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    for (let n = 0; n < 300; n += 1) await db.query({ text: `select ${n} as n`, values: [] })
    const counted = await db.query<{ n: number }>(
      sql`select count(*) as n from pg_prepared_statements`,
    )
    expect(counted[0]?.n).toBe(256)
    expect(await db.query({ text: 'select 0 as n', values: [] })).toEqual([{ n: 0 }])
  })

  it.each([true, false])('reuses a connection after errors (prepared %s)', async (named) => {
    await using db = open(database.appUrl, { poolMax: 1, preparedStatements: named })
    const [tenant] = newTenants(1)
    const [before] = await db.query(backendPid)
    const divide = (by: number) => sql<{ x: number }>`select 1 / ${by}::int as x`
    for (let round = 0; round < 2; round += 1) {
      const impossible = db.tenantQuery(tenant ?? never(), divide(0))
      expect(await failureOf(impossible)).toBe('MELMASTOON.GENERAL.INTERNAL')
      expect(await db.tenantQuery(tenant ?? never(), divide(1))).toEqual([{ x: 1 }])
    }
    expect(await failureOf(db.query({ text: 'selec', values: [] }))).toContain('INTERNAL')
    expect(await failureOf(db.query({ text: 'selec', values: [] }))).toContain('INTERNAL')
    expect(await db.query(backendPid)).toEqual([before])
  })

  it('prepares a statement again when its result type has changed', async () => {
    await using db = open(database.ownerUrl, { poolMax: 1 })
    await db.query(sql`create table shape (a int)`)
    const select = sql`select * from shape`
    await db.query(select)
    await db.query(sql`alter table shape add column b int`)
    await failureOf(db.query(select))
    await db.query(sql`insert into shape values (1, 2)`)
    expect(await db.query(select)).toEqual([{ a: 1, b: 2 }])
    await db.query(sql`drop table shape`)
  })

  it('closes a connection that a statement left in a transaction', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    expect(await failureOf(db.query(sql`begin`))).toBe('TypeError')
    expect(db.poolState().total).toBe(0)
  })
})

describe('transactions', () => {
  it('runs onCommit after the commit, and not at all after a rollback', async () => {
    await using db = open(database.appUrl)
    const tenant = newTenants(1)[0] ?? never()
    const seen: number[] = []
    const look = async () => {
      seen.push((await db.tenantQuery(tenant, allNotes())).length)
    }
    await db.withTenant(tenant, async (tx) => {
      tx.onCommit(look)
      await tx.query(insertNote(tenant, 'committed'))
      expect(seen).toEqual([])
    })
    expect(seen).toEqual([1])
    const failing = db.withTenant(tenant, async (tx) => {
      tx.onCommit(look)
      await tx.query(insertNote(tenant, 'lost'))
      throw new RangeError('changed my mind')
    })
    expect(await failureOf(failing)).toBe('RangeError')
    expect(seen).toEqual([1])
    await look()
    expect(seen).toEqual([1, 1])
  })

  it('reports a failing onCommit and still returns the result', async () => {
    const reported: unknown[] = []
    await using db = open(database.appUrl, { onError: (error) => reported.push(error) })
    const failure = new Error('cache is unavailable')
    const result = await db.transaction(async (tx) => {
      tx.onCommit(() => Promise.reject(failure))
      return 'done'
    })
    expect(result).toBe('done')
    expect(reported).toEqual([failure])
  })

  it('rejects queries and effects after the end', async () => {
    await using db = open(database.appUrl)
    const tx = await db.transaction(async (inside) => inside)
    expect(await failureOf(tx.query(sql`select 1`))).toBe('TypeError')
    expect(() => tx.onCommit(() => undefined)).toThrow(TypeError)
  })

  it('passes on the errors of the work unchanged', async () => {
    await using db = open(database.appUrl)
    const failure = Object.assign(new Error('upstream'), { syscall: 'connect' })
    await expect(db.transaction(() => Promise.reject(failure))).rejects.toBe(failure)
  })

  it('rolls back when the work ignored an error', async () => {
    await using db = open(database.appUrl)
    const tenant = newTenants(1)[0] ?? never()
    let ran = false
    const swallowing = db.withTenant(tenant, async (tx) => {
      tx.onCommit(() => {
        ran = true
      })
      await tx.query(insertNote(tenant, 'lost'))
      await failureOf(tx.query(sql`select 1 / 0`))
    })
    expect(await failureOf(swallowing)).toBe('MELMASTOON.GENERAL.INTERNAL')
    expect(ran).toBe(false)
    expect(await db.tenantQuery(tenant, allNotes())).toEqual([])
  })

  it('runs queries started together one after the other, without a warning of the driver', async () => {
    const warnings: string[] = []
    const note = (warning: Error) => warnings.push(warning.message)
    process.on('warning', note)
    await using db = open(database.appUrl)
    const rows = await db.transaction((tx) =>
      Promise.all([1, 2, 3, 4].map((n) => tx.query(sql`select ${n}::int as n`))),
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(rows.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
    expect(warnings).toEqual([])
  })

  it('waits for a query in flight before it rolls back, and rejects the queued one', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    const tenant = newTenants(1)[0] ?? never()
    const left: Promise<string>[] = []
    const failing = db.withTenant(tenant, async (tx) => {
      left.push(failureOf(tx.query(sql`select pg_sleep(0.05)`)))
      left.push(failureOf(tx.query(insertNote(tenant, 'late'))))
      throw new RangeError('aborted')
    })
    expect(await failureOf(failing)).toBe('RangeError')
    expect(await left[1]).toBe('TypeError')
    expect(await db.tenantQuery(tenant, allNotes())).toEqual([])
  })

  it('rejects a statement that ends the transaction', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    const early = db.transaction((tx) => tx.query(sql`commit`))
    expect(await failureOf(early)).toBe('TypeError')
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  it('fails when a deferred constraint fails at commit', async () => {
    await using db = open(database.ownerUrl)
    await db.query(sql`create table deferred (n int unique deferrable initially deferred)`)
    let ran = false
    const twice = db.transaction(async (tx) => {
      tx.onCommit(() => {
        ran = true
      })
      await tx.query(sql`insert into deferred values (1), (1)`)
    })
    expect(await failureOf(twice)).toBe('MELMASTOON.GENERAL.CONFLICT')
    expect(await failureOf(db.query(sql`insert into deferred values (2), (2)`))).toContain(
      'CONFLICT',
    )
    expect(ran).toBe(false)
    await db.query(sql`drop table deferred`)
  })

  it('is the same with and without a tenant through scoped', async () => {
    await using db = open(database.appUrl)
    const tenant = newTenants(1)[0] ?? never()
    await db.scoped(tenant).transaction((tx) => tx.query(insertNote(tenant, 'one')))
    expect(await db.scoped(tenant).query(allNotes())).toHaveLength(1)
    expect(await failureOf(db.scoped(null).query(allNotes()))).toContain('CONTEXT_MISSING')
  })
})

describe('lost connections', () => {
  it('mid-transaction is DEPENDENCY_UNAVAILABLE, and the next request works', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    const tenant = newTenants(1)[0] ?? never()
    const lost = db.withTenant(tenant, async (tx) => {
      await tx.query(insertNote(tenant, 'lost'))
      const [row] = await tx.query(backendPid)
      await terminate(database.adminUrl, row?.pid ?? 0)
      await tx.query(allNotes())
    })
    expect(await failureOf(lost)).toBe('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    expect(await db.tenantQuery(tenant, allNotes())).toEqual([])
  })

  it('before the commit is a failure, not a commit', async () => {
    await using db = open(database.appUrl, { poolMax: 1 })
    let ran = false
    const lost = db.transaction(async (tx) => {
      tx.onCommit(() => {
        ran = true
      })
      const [row] = await tx.query(backendPid)
      await terminate(database.adminUrl, row?.pid ?? 0)
    })
    expect(await failureOf(lost)).toBe('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
    expect(ran).toBe(false)
  })

  it('while idle is reported and does not end the process', async () => {
    const reported: unknown[] = []
    await using db = open(database.appUrl, { poolMax: 1, onError: (error) => reported.push(error) })
    const [row] = await db.query(backendPid)
    await terminate(database.adminUrl, row?.pid ?? 0)
    await eventually(() => expect(reported).toHaveLength(1))
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  it('to a refused port is DEPENDENCY_UNAVAILABLE', async () => {
    await using db = open('postgres://nobody@127.0.0.1:1/none')
    expect(await failureOf(db.query(sql`select 1`))).toContain('DEPENDENCY_UNAVAILABLE')
  })

  it('to an unresponsive server time out', async () => {
    await using proxy = await startTcpProxy(database.appUrl)
    await using db = open(proxy.url, { poolMax: 1, responseTimeoutMs: 150 })
    await db.query(sql`select 1`)
    await proxy.setMode({ kind: 'blackhole' })
    expect(await failureOf(db.query(sql`select 1`))).toContain('DEPENDENCY_UNAVAILABLE')
    expect(db.poolState().total).toBe(0)
  })

  it('after the pool has ended is SHUTTING_DOWN', async () => {
    const db = open(database.appUrl)
    await db[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
    expect(await failureOf(db.query(sql`select 1`))).toBe('MELMASTOON.GENERAL.SHUTTING_DOWN')
  })

  it('no free connection in time is OVERLOADED', async () => {
    await using db = open(database.appUrl, { poolMax: 1, connectTimeoutMs: 500 })
    const held = latch()
    const holder = db.transaction(() => held.promise)
    expect(await failureOf(db.query(sql`select 1`))).toBe('MELMASTOON.GENERAL.OVERLOADED')
    held.open()
    await holder
  })
})

function never(): never {
  throw new TypeError('unreachable')
}

describe('the pool', () => {
  it('keeps its minimum of connections open and closes the others', async () => {
    const idle = { poolMax: 4, idleTimeoutMs: 50 }
    await using some = open(database.appUrl, { ...idle, poolMin: 2 })
    await using none = open(database.appUrl, idle)
    for (const db of [some, none]) {
      const slow = Array.from({ length: 4 }, () => db.query(sql`select pg_sleep(0.3)`))
      expect(db.poolState().total).toBe(4)
      await Promise.all(slow)
    }
    await eventually(() => expect(none.poolState().total).toBe(0))
    expect(some.poolState()).toEqual({ total: 2, idle: 2, waiting: 0 })
  })
})
