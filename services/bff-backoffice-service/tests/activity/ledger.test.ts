import { type Database, rawSql, type Statement, sql, sqlStateOf } from '@melmastoon/chassis/db'
import { isProblem, newId, problem } from '@melmastoon/domain'
import { eventually, type TestEnvironment } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BatchingLedger } from '../../src/activity/batching-ledger.ts'
import { keepActivityPartitions } from '../../src/activity/partition-keeper.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'
import { startBackoffice } from '../harness/start-backoffice.ts'
import { activityOf, openAs, partitionOf } from './activity-fixture.ts'

let environment: TestEnvironment
let relay: Database
let ledgerDb: Database
let app: Database
beforeAll(async () => {
  environment = await backofficeEnvironment()
  relay = openAs(environment, 'relay')
  ledgerDb = openAs(environment, 'ledger')
  app = openAs(environment, 'app')
  await keepActivityPartitions(relay)
})
afterAll(async () => {
  await Promise.all([relay, ledgerDb, app].map((db) => db[Symbol.asyncDispose]()))
  await environment[Symbol.asyncDispose]()
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

/** Counts statements, and lets a test decide what happens to each of them. */
function observed(run: (statement: Statement<unknown>, call: number) => Promise<unknown[]>) {
  let calls = 0
  const query = (statement: Statement<unknown>) => run(statement, (calls += 1))
  return { db: { query } as Pick<Database, 'query'>, calls: () => calls }
}

const countOf = (operatorId: string) =>
  environment.countRows('operator_activity', `operator_id = '${operatorId}'`)

describe('the ledger of activities', () => {
  it('B11 commits the rows of many tenants in one statement before it resolves', async () => {
    const source = observed((statement) => ledgerDb.query(statement))
    await using ledger = new BatchingLedger({ db: source.db })
    const operatorId = newId('opr')
    const rows = Array.from({ length: 40 }, () => activityOf(newId('tnt'), { operatorId }))
    await Promise.all(rows.map((row) => ledger.record(row)))
    expect(await countOf(operatorId)).toBe(40)
    expect(source.calls()).toBe(1)
  })

  it('shows a row to its tenant only, with ids as they were recorded', async () => {
    await using ledger = new BatchingLedger({ db: ledgerDb })
    const row = activityOf(newId('tnt'), { outcome: 'failure', errorCode: 'MELMASTOON.X' })
    await ledger.record(row)
    const statement = sql<Record<string, unknown>>`
      select operator_id, outcome, error_code, latency_ms, occurred_at from operator_activity
      where operator_id = ${row.operatorId}`
    expect(await app.tenantQuery(row.tenantId, statement)).toEqual([
      {
        operator_id: row.operatorId,
        outcome: 'failure',
        error_code: 'MELMASTOON.X',
        latency_ms: 12,
        occurred_at: row.occurredAt,
      },
    ])
    expect(await app.tenantQuery(newId('tnt'), statement)).toEqual([])
  })

  it('starts a statement at 500 rows without waiting', async () => {
    const sizes: number[] = []
    const onWritten = (rows: number) => sizes.push(rows)
    await using ledger = new BatchingLedger({ db: ledgerDb, lingerMs: 60_000, onWritten })
    const rows = Array.from({ length: 500 }, () => activityOf(newId('tnt')))
    await Promise.all(rows.map((row) => ledger.record(row)))
    expect(sizes).toEqual([500])
  })

  it('rejects rows beyond its queue, and writes those it has accepted', async () => {
    const rejected: number[] = []
    const options = { maxQueued: 3, onRejected: (rows: number) => rejected.push(rows) }
    await using ledger = new BatchingLedger({ db: ledgerDb, ...options })
    const operatorId = newId('opr')
    const record = () => codeOf(ledger.record(activityOf(newId('tnt'), { operatorId })))
    const results = await Promise.all([record(), record(), record(), record()])
    expect(results).toEqual(['done', 'done', 'done', 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'])
    expect(rejected).toEqual([1])
    expect(await countOf(operatorId)).toBe(3)
  })

  it('rejects a row that Postgres rejects, and no other', async () => {
    await using ledger = new BatchingLedger({ db: ledgerDb })
    const operatorId = newId('opr')
    const bad = activityOf(newId('tnt'), { operatorId, action: 'a\0b' })
    const results = await Promise.all([
      codeOf(ledger.record(activityOf(newId('tnt'), { operatorId }))),
      codeOf(ledger.record(bad)),
      codeOf(ledger.record(activityOf(newId('tnt'), { operatorId }))),
    ])
    expect(results).toEqual(['done', 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', 'done'])
    expect(await countOf(operatorId)).toBe(2)
  })

  it('repeats a statement whose result was lost, and has each row once', async () => {
    const source = observed(async (statement, call) => {
      const rows = await ledgerDb.query(statement)
      if (call === 1) throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
      return rows
    })
    await using ledger = new BatchingLedger({ db: source.db })
    const operatorId = newId('opr')
    await ledger.record(activityOf(newId('tnt'), { operatorId }))
    expect([source.calls(), await countOf(operatorId)]).toEqual([2, 1])
  })

  it('writes what is waiting when it ends', async () => {
    const ledger = new BatchingLedger({ db: ledgerDb, lingerMs: 60_000 })
    const operatorId = newId('opr')
    const recorded = ledger.record(activityOf(newId('tnt'), { operatorId }))
    await ledger[Symbol.asyncDispose]()
    await recorded
    expect(await countOf(operatorId)).toBe(1)
  })
})

describe('the partitions of the ledger', () => {
  it('the role that writes cannot read, change or remove', async () => {
    for (const text of [
      'select count(*) from operator_activity',
      "update operator_activity set outcome = 'success'",
      'delete from operator_activity',
      'truncate operator_activity',
      'select keep_activity_partitions(1)',
      'select 1 from outbox',
    ]) {
      const failure = ledgerDb.query(sql`${rawSql(text)}`)
      expect([text, await codeOf(failure)]).toEqual([text, 'MELMASTOON.GENERAL.INTERNAL'])
    }
  })

  it('STAFF-LAKE-10 no role but the owner reaches a partition, and the owner sees no row', async () => {
    await using ledger = new BatchingLedger({ db: ledgerDb })
    await ledger.record(activityOf(newId('tnt')))
    const count = sql<{ rows: number }>`
      select count(*)::int as rows from ${rawSql(partitionOf(new Date()))}`
    for (const db of [ledgerDb, relay, app]) {
      const failure = await db.tenantQuery(newId('tnt'), count).catch((error: unknown) => error)
      expect(sqlStateOf(failure)).toBe('42501')
    }
    await using owner = openAs(environment, 'owner')
    expect(await owner.query(count)).toEqual([{ rows: 0 }])
  })

  it('STAFF-LAKE-10 a grant would show the rows of all tenants (control)', async () => {
    const { schema } = environment
    const name = `${schema}.${partitionOf(new Date())}`
    await environment.query(`grant select on ${name} to ${schema}_app`)
    await environment.query(`alter table ${name} disable row level security`)
    const count = sql<{ rows: number }>`select count(*)::int as rows from ${rawSql(name)}`
    const [seen] = await app.tenantQuery(newId('tnt'), count)
    await environment.query(`alter table ${name} enable row level security`)
    await environment.query(`revoke all on ${name} from ${schema}_app`)
    expect(seen?.rows).toBeGreaterThan(0)
  })

  it('are made from yesterday until seven days ahead, once', async () => {
    const made = await environment.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = '${environment.schema}.operator_activity'::regclass order by 1`,
    )
    const days = Array.from({ length: 9 }, (_, at) => new Date(Date.now() + (at - 1) * 86_400_000))
    const expected = days.map((day) => `${environment.schema}.${partitionOf(day)}`)
    expect(made.map(({ name }) => name)).toEqual(expected)
    const runs = Array.from({ length: 4 }, () => keepActivityPartitions(relay))
    expect(await Promise.all(runs)).toEqual(Array(4).fill({ made: 0 }))
  })

  it('bounds of the id leave one partition to read', async () => {
    const { schema } = environment
    const plan = await environment.query<{ 'QUERY PLAN': string }>(
      `explain select * from ${schema}.operator_activity
       where id >= ${schema}.activity_id_floor(current_date)
         and id < ${schema}.activity_id_floor(current_date + 1)`,
    )
    const read = plan
      .map((line) => line['QUERY PLAN'])
      .join('\n')
      .match(/operator_activity_\d{8}/g)
    expect(new Set(read).size).toBe(1)
  })
})

it('STAFF-LAKE-08 without a partition nothing is recorded; the keeper repairs it', async () => {
  await using own = await backofficeEnvironment()
  await using service = await startBackoffice(own)
  const { ledger } = service.ctx
  const tenantId = newId('tnt')
  await ledger.record(activityOf(tenantId))
  await own.query(`drop table ${own.schema}.${partitionOf(new Date())}`)
  expect(await codeOf(ledger.record(activityOf(tenantId)))).toBe(
    'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE',
  )
  await eventually(async () => ledger.record(activityOf(tenantId)))
  expect(await own.countRows('operator_activity')).toBe(1)
})
