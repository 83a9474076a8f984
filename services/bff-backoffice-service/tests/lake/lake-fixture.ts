import { systemClock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { rawSql, sql } from '@melmastoon/chassis/db'
import { createMetrics } from '@melmastoon/chassis/telemetry'
import { idToUuid, newId } from '@melmastoon/domain'
import { createTestClock, type TestEnvironment, temporaryFolder } from '@melmastoon/testkit'
import type { ExportDeps } from '../../src/lake/export-day.ts'
import type { AuditLake, Day, LakeDay, LakeTable } from '../../src/lake/lake.ts'
import { OPERATOR_ACTIVITY } from '../../src/lake/lake-tables.ts'
import { createParquetLake } from '../../src/lake/parquet-lake.ts'
import { lakeMetrics, runExport } from '../../src/lake/run-export.ts'
import { openAs } from '../activity/activity-fixture.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'

export const ACTIVITY_COLUMNS = OPERATOR_ACTIVITY.columns.map(({ name }) => name)

export const ledgerDay = (day: Day): LakeDay => ({ table: OPERATOR_ACTIVITY, day })

const rethrow = (error: unknown) => {
  throw error
}

/** A database, an empty lake, and days of the ledger. */
export async function startLake() {
  const environment = await backofficeEnvironment()
  const folder = temporaryFolder()
  const db = openAs(environment, 'relay')
  const owner = openAs(environment, 'owner')
  const ledger = openAs(environment, 'ledger')
  const lake = createParquetLake(folder.path)
  const clock = createTestClock()
  const deps: ExportDeps & { readonly lake: AuditLake } = { db, lake, clock, writersMs: 300 }
  return {
    environment,
    folder: folder.path,
    db,
    ledger,
    lake,
    clock,
    deps,
    addDay: (day: Day, rows: number) => addDay({ environment, owner, ledger }, day, rows),
    /** As the job does it, now. */
    runExport(table: LakeTable) {
      const metrics = lakeMetrics(createMetrics('test'))
      const run = { ...deps, clock: systemClock, metrics, onError: rethrow }
      return runExport(run, table, AbortSignal.timeout(60_000))
    },
    /** As the superuser: what Postgres has, whatever is attached. */
    count: (table: string) => environment.countRows(table),
    async [Symbol.asyncDispose]() {
      await Promise.all([db, owner, ledger].map((each) => each[Symbol.asyncDispose]()))
      await environment[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

export type LakeSetup = Awaited<ReturnType<typeof startLake>>

interface Databases {
  readonly environment: TestEnvironment
  readonly owner: Database
  readonly ledger: Database
}

export const partitionName = (day: Day) => `operator_activity_${day.replaceAll('-', '')}`

/** As the keeper makes them, for any day. */
export async function makePartition(owner: Database, day: Day): Promise<void> {
  const part = partitionName(day)
  for (const text of [
    `create table ${part} (like operator_activity including all)`,
    `alter table ${part} enable row level security`,
    `alter table ${part} force row level security`,
  ]) {
    await owner.query(sql`${rawSql(text)}`)
  }
  await owner.query(sql`select attach_activity_partition(${day}::date)`)
}

/** Values that a careless export changes: null, empty, quotes, line ends, commas, other scripts. */
const TEXTS = ['plain', '', 'a "quoted" word', 'two\nlines', 'a,b', "it's", 'کابل 你好', '\\N', ' ']

export function rowOf(day: Day, at: number): readonly unknown[] {
  const startMs = Date.parse(day)
  const hex = (startMs + at * 10).toString(16).padStart(12, '0')
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}${idToUuid(newId('act')).slice(13)}`
  const text = TEXTS[at % TEXTS.length] ?? null
  return [
    id,
    idToUuid(newId('tnt')),
    at % 3 === 0 ? null : idToUuid(newId('ppt')),
    newId('opr'),
    newId('dev'),
    newId('bos'),
    new Date(startMs + at * 10 + 0.123).toISOString(),
    'desk',
    text,
    at % 4 === 0 ? null : 'task',
    text,
    at % 2 === 0 ? 'success' : 'failure',
    at % 5 === 0 ? null : at,
    at % 2 === 0 ? null : 'MELMASTOON.X',
    null,
  ]
}

export async function insertRow(ledger: Pick<Database, 'query'>, row: readonly unknown[]) {
  const values = row.map((_, at) => `$${at + 1}`).join(', ')
  const text = `insert into operator_activity (${ACTIVITY_COLUMNS.join(', ')}) values (${values})`
  await ledger.query({ text, values: [...row] })
}

async function addDay({ owner, ledger }: Databases, day: Day, rows: number): Promise<void> {
  await makePartition(owner, day)
  for (let at = 0; at < rows; at += 1) await insertRow(ledger, rowOf(day, at))
}
