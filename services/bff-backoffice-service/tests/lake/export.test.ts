import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, sql, sqlStateOf } from '@melmastoon/chassis/db'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExportDeps, exportDay } from '../../src/lake/export-day.ts'
import { type Day, isEqual, type LakeTable } from '../../src/lake/lake.ts'
import { type ExportRow, selectPrunable } from '../../src/lake/lake-export-sql.ts'
import { ALERT_ACK_LOG, OPERATOR_ACTIVITY } from '../../src/lake/lake-tables.ts'
import { pruneDay } from '../../src/lake/prune-days.ts'
import {
  ACTIVITY_COLUMNS,
  insertRow,
  type LakeSetup,
  ledgerDay,
  partitionName,
  rowOf,
  startLake,
} from './lake-fixture.ts'
import { readLake } from './read-lake.ts'

let lake: LakeSetup
beforeAll(async () => {
  lake = await startLake()
})
afterAll(() => lake[Symbol.asyncDispose]())

async function verifiedRow(table: LakeTable, day: Day): Promise<ExportRow> {
  const rows = await lake.db.query(selectPrunable(table.name, '9999-01-01', 1_000))
  const found = rows.find((row) => row.day === day)
  if (found === undefined) throw new TypeError(`${day} is not verified`)
  return found
}

const prune = async (day: Day) =>
  pruneDay(lake.deps, ledgerDay(day), await verifiedRow(OPERATOR_ACTIVITY, day))

const fileOf = (day: Day) =>
  join(lake.folder, 'table=operator_activity', `month=${day.slice(0, 7)}`, `${day}.parquet`)

const inLake = (day: Day, columns = 'count(*)::int as rows') =>
  readLake(
    lake.folder,
    OPERATOR_ACTIVITY,
    `select ${columns} from operator_activity where occurred_at::date = '${day}'`,
  )

describe('the export of a day', () => {
  it('has every value as Postgres has it', async () => {
    await lake.addDay('2026-03-01', 45)
    expect(await exportDay(lake.deps, ledgerDay('2026-03-01'))).toBe('exported')
    const names = ACTIVITY_COLUMNS.filter((name) => name !== 'occurred_at')
    const select = (time: string) => [...names, `${time} as occurred_us`].join(', ')
    const exported = await readLake(
      lake.folder,
      OPERATOR_ACTIVITY,
      `select ${select('epoch_us(occurred_at)::varchar')} from operator_activity order by id`,
    )
    const { schema } = lake.environment
    const source = await lake.environment.query(
      `select ${select('(extract(epoch from occurred_at) * 1000000)::bigint::text')}
       from ${schema}.operator_activity order by id`,
    )
    expect(exported).toHaveLength(45)
    expect(exported.map((row) => ({ ...row, latency_ms: toNumber(row['latency_ms']) }))).toEqual(
      source,
    )
  })

  it('STAFF-LAKE-07 contains the listed columns and nothing else', async () => {
    const rows = await readLake(
      lake.folder,
      OPERATOR_ACTIVITY,
      `select name from parquet_schema('${fileOf('2026-03-01')}') where type is not null`,
    )
    expect(rows.map(({ name }) => name)).toEqual(ACTIVITY_COLUMNS)
  })

  it('STAFF-LAKE-07 leaves the notes of operators in Postgres', async () => {
    const { schema } = lake.environment
    await lake.environment.query(
      `insert into ${schema}.alert_ack_log (id, tenant_id, alert_id, category, severity, raised_at,
         acknowledged_at, acknowledged_by, device_id, notes_truncated)
       values ($1, $1, 'alt_1', 'stay', 'info', '2026-03-01', '2026-03-01T12:00Z', 'opr_1', 'dev_1',
         'Guest Zahra called')`,
      [crypto.randomUUID()],
    )
    const day = { table: ALERT_ACK_LOG, day: '2026-03-01' }
    expect(await exportDay(lake.deps, day)).toBe('exported')
    const path = join(lake.folder, 'table=alert_ack_log', 'month=2026-03', '2026-03-01.parquet')
    const bytes = await readFile(path)
    expect([bytes.includes('Zahra'), bytes.includes('opr_1')]).toEqual([false, true])
  })

  it('a day without rows is done without a file', async () => {
    await lake.addDay('2026-03-02', 0)
    expect(await exportDay(lake.deps, ledgerDay('2026-03-02'))).toBe('exported')
    const names = await readdir(join(lake.folder, 'table=operator_activity', 'month=2026-03'))
    expect(names.filter((name) => name.includes('2026-03-02'))).toEqual([])
    expect(await prune('2026-03-02')).toBe('pruned')
  })

  it('STAFF-LAKE-02 of two exporters one publishes, and the result can be verified', async () => {
    await lake.addDay('2026-03-03', 30)
    const day = ledgerDay('2026-03-03')
    const results = await Promise.all([1, 2, 3].map(() => exportDay(lake.deps, day)))
    expect(results.toSorted()).toEqual(['exported', 'superseded', 'superseded'])
    const verified = await verifiedRow(OPERATOR_ACTIVITY, day.day)
    expect(isEqual(verified, await lake.lake.reread(day, day.table.columns))).toBe(true)
    const names = await readdir(join(lake.folder, 'table=operator_activity', 'month=2026-03'))
    expect(names.filter((name) => name.startsWith('.tmp'))).toEqual([])
  })
})

/** A transaction with a row of the day that is not committed yet. */
async function openWriter(day: Day) {
  const committed = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const done = lake.ledger.transaction(async (tx) => {
    await insertRow(tx, rowOf(day, 100))
    written.resolve()
    await committed.promise
  })
  await written.promise
  return async () => {
    committed.resolve()
    await done
  }
}

describe('open transactions', () => {
  it('STAFF-LAKE-04 delay the day until they have ended', async () => {
    await lake.addDay('2026-03-04', 10)
    const commit = await openWriter('2026-03-04')
    expect(await exportDay(lake.deps, ledgerDay('2026-03-04'))).toBe('waiting')
    await commit()
    expect(await exportDay(lake.deps, ledgerDay('2026-03-04'))).toBe('exported')
    expect(await inLake('2026-03-04')).toEqual([{ rows: 11 }])
  })

  it('STAFF-LAKE-04 would be missed without the check (control)', async () => {
    await lake.addDay('2026-03-05', 10)
    const commit = await openWriter('2026-03-05')
    const query: Database['query'] = async (statement, options) =>
      statement.text.includes('pg_locks') ? [] : lake.db.query(statement, options)
    const blind: ExportDeps = {
      ...lake.deps,
      db: { ...bound(lake.db), query },
    }
    expect(await exportDay(blind, ledgerDay('2026-03-05'))).toBe('exported')
    await commit()
    expect(await inLake('2026-03-05')).toEqual([{ rows: 10 }])
    // And nothing is lost: the rows are counted again before they are dropped.
    expect(await prune('2026-03-05')).toBe('changed')
    expect(await exportDay(lake.deps, ledgerDay('2026-03-05'))).toBe('exported')
    expect(await inLake('2026-03-05')).toEqual([{ rows: 11 }])
    expect(await prune('2026-03-05')).toBe('pruned')
  })
})

/** The methods of a database as an object that can be changed. */
const bound = (db: Database): Database => ({
  query: (...args) => db.query(...args),
  transaction: (...args) => db.transaction(...args),
  tenantQuery: (...args) => db.tenantQuery(...args),
  withTenant: (...args) => db.withTenant(...args),
  scoped: (...args) => db.scoped(...args),
  poolState: () => db.poolState(),
  [Symbol.asyncDispose]: () => db[Symbol.asyncDispose](),
})

describe('pruning', () => {
  it('STAFF-LAKE-03 stops at a changed or missing file', async () => {
    await lake.addDay('2026-03-06', 20)
    await exportDay(lake.deps, ledgerDay('2026-03-06'))
    const path = fileOf('2026-03-06')
    const intact = await readFile(path)
    const changed = Buffer.from(intact)
    changed[60] = (changed[60] ?? 0) ^ 0xff
    for (const damage of [
      () => writeFile(path, changed),
      () => writeFile(path, intact.subarray(0, 40)),
      () => rm(path),
    ]) {
      await damage()
      expect(await prune('2026-03-06')).toBe('damaged')
      expect(await lake.count(partitionName('2026-03-06'))).toBe(20)
    }
    await writeFile(path, intact)
    expect(await prune('2026-03-06')).toBe('pruned')
    expect(await inLake('2026-03-06')).toEqual([{ rows: 20 }])
    await expect(lake.count(partitionName('2026-03-06'))).rejects.toThrow('does not exist')
  })

  it('the database itself refuses to detach a day that is not verified', async () => {
    await lake.addDay('2026-03-07', 1)
    const detach = lake.db.query(sql`select detach_activity_partition('2026-03-07')`)
    expect(sqlStateOf(await detach.catch((error: unknown) => error))).toBe('55000')
    expect(await lake.count('operator_activity')).toBeGreaterThan(0)
  })

  it('STAFF-LAKE-06 reads and prunes a file from before a column was added', async () => {
    const older: LakeTable = {
      ...OPERATOR_ACTIVITY,
      columns: OPERATOR_ACTIVITY.columns.filter(({ name }) => name !== 'error_code'),
    }
    await lake.addDay('2026-03-08', 6)
    expect(await exportDay(lake.deps, { table: older, day: '2026-03-08' })).toBe('exported')
    expect(
      await inLake('2026-03-08', 'count(*)::int as rows, count(error_code)::int as codes'),
    ).toEqual([{ rows: 6, codes: 0 }])
    expect(await inLake('2026-03-01', 'count(error_code)::int as codes')).toEqual([{ codes: 22 }])
    expect(await prune('2026-03-08')).toBe('pruned')
  })

  it('deletes the rows of a table without partitions after they were compared', async () => {
    const day = { table: ALERT_ACK_LOG, day: '2026-03-01' }
    const before = await lake.count('alert_ack_log')
    expect(before).toBe(1)
    const verified = await verifiedRow(ALERT_ACK_LOG, day.day)
    expect(await pruneDay(lake.deps, day, { ...verified, hashSum: '1' })).toBe('damaged')
    expect(await lake.count('alert_ack_log')).toBe(1)
    expect(await pruneDay(lake.deps, day, verified)).toBe('pruned')
    expect(await lake.count('alert_ack_log')).toBe(0)
  })
})

function toNumber(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value)
}
