import { createDatabase, type Database, type Queryable, sql } from '@melmastoon/chassis/db'
import { testDatabase } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Decisions, replayedDecisions, seededDecisions } from './decisions.ts'
import { Scheduler } from './scheduler.ts'
import { simulatedDatabase } from './simulated-database.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let real: Database

beforeAll(async () => {
  database = await testDatabase({ schema: 'simulated', migrations: [] })
  real = createDatabase({ url: database.adminUrl, poolMax: 2, onError: () => undefined })
  await real.query(sql`create table public.counter (value int not null)`)
  await real.query(sql`insert into public.counter values (0)`)
})

afterAll(async () => {
  await real[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function readValue(db: Queryable): Promise<number> {
  const [row] = await db.query(sql<{ value: number }>`select value from public.counter`)
  return row?.value ?? 0
}

async function addOne(db: Queryable): Promise<void> {
  const value = await readValue(db)
  await db.query(sql`update public.counter set value = ${value + 1}::int`)
}

type Work = (db: Database) => Promise<void>

/** Three processes do the same work; returns the number of additions that were not lost. */
async function run(work: Work, decisions: Decisions, crashOneIn?: number) {
  await real.query(sql`update public.counter set value = 0`)
  const scheduler = new Scheduler({ decisions, crashOneIn })
  for (const name of ['a', 'b', 'c']) {
    const process = scheduler.process(name)
    const db = simulatedDatabase(real, process)
    process.spawn('add', () => work(db))
  }
  await scheduler.runToEnd()
  return { value: await readValue(real), hash: scheduler.traceHash() }
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed)

describe('the simulated database', () => {
  it('makes a transaction one task, and separate statements several', async () => {
    const transactions = new Set<number>()
    const statements = new Set<number>()
    for (const seed of seeds) {
      const inOne = await run((db) => db.transaction(addOne), seededDecisions(seed))
      transactions.add(inOne.value)
      statements.add((await run(addOne, seededDecisions(seed))).value)
    }
    expect(transactions).toEqual(new Set([3]))
    expect(statements.size).toBeGreaterThan(1)
  })

  it('repeats a history with the same result and trace, crashes included', async () => {
    for (const seed of seeds.slice(0, 8)) {
      const decisions = seededDecisions(seed)
      const first = await run((db) => addOne(db.scoped(null)), decisions, 6)
      const second = await run(
        (db) => addOne(db.scoped(null)),
        replayedDecisions(decisions.taken),
        6,
      )
      expect(second).toEqual(first)
    }
  })

  it('commits before a crash after the transaction, and not before one before it', async () => {
    // The start of each process, then the crash of each: order, crash, duration.
    const start = [0, 0, 0]
    const crash = (choice: number) => [...start, ...start, ...start, 0, choice, 0]
    const work: Work = (db) => db.transaction(addOne)
    expect((await run(work, replayedDecisions(crash(1)), 3)).value).toBe(2)
    expect((await run(work, replayedDecisions(crash(2)), 3)).value).toBe(3)
  })

  it('F11 reports an upstream call inside a transaction', async () => {
    const scheduler = new Scheduler({ decisions: seededDecisions(1) })
    const process = scheduler.process('a')
    const db = simulatedDatabase(real, process)
    process.spawn('wrong', () =>
      db.transaction(async () => {
        await process.task('payment.getIntent', async () => undefined)
      }),
    )
    await expect(scheduler.runToEnd()).rejects.toThrow('F11: payment.getIntent')
  })
})
