import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BigQuery } from '@google-cloud/bigquery'
import { temporaryFolder } from '@melmastoon/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBigQueryLake } from '../../src/lake/bigquery-lake.ts'
import { workFiles, writeLines, writeParquet } from '../../src/lake/day-file.ts'
import { exportDay } from '../../src/lake/export-day.ts'
import {
  type AuditLake,
  type Day,
  type DayFile,
  isEqual,
  type LakeDay,
} from '../../src/lake/lake.ts'
import { selectPrunable } from '../../src/lake/lake-export-sql.ts'
import { OPERATOR_ACTIVITY } from '../../src/lake/lake-tables.ts'
import { createParquetLake } from '../../src/lake/parquet-lake.ts'
import { pruneDay } from '../../src/lake/prune-days.ts'
import { startFakeBigQuery } from './fake-bigquery.ts'
import { type LakeSetup, ledgerDay, startLake } from './lake-fixture.ts'

let setup: LakeSetup
beforeAll(async () => {
  setup = await startLake()
  await setup.addDay('2026-04-01', 25)
  await setup.addDay('2026-04-02', 10)
})
afterAll(() => setup[Symbol.asyncDispose]())

interface Subject extends AsyncDisposable {
  readonly lake: AuditLake
  /** Changes one value of a day in the lake. */
  damage(day: Day): Promise<unknown>
}

async function parquet(): Promise<Subject> {
  const folder = temporaryFolder()
  const lake = createParquetLake(folder.path)
  const fileOf = (day: Day) =>
    join(folder.path, 'table=operator_activity', 'month=2026-04', `${day}.parquet`)
  return {
    lake,
    damage: (day) =>
      copyFile(fileOf(day === '2026-04-01' ? '2026-04-02' : '2026-04-01'), fileOf(day)),
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]()
    },
  }
}

async function bigQuery() {
  const folder = temporaryFolder()
  const server = await startFakeBigQuery()
  const { authClient: auth } = new BigQuery({ projectId: 'p' })
  const account = {
    type: 'authorized_user',
    client_id: 'c',
    client_secret: 's',
    refresh_token: 'r',
  }
  const authClient = auth.fromJSON(account)
  authClient.setCredentials({ access_token: 'test', expiry_date: Date.now() + 3_600_000 })
  const lake = createBigQueryLake({
    project: 'p',
    dataset: 'd',
    folder: folder.path,
    client: { apiEndpoint: server.url, authClient },
  })
  return {
    lake,
    jobs: server.jobs,
    remove: () => server.run('delete from operator_activity'),
    damage: (day: Day) =>
      server.run(`update operator_activity set action = 'changed' where id in
        (select min(id) from operator_activity where occurred_at::date = '${day}')`),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

/** The steps of an export before the lake is involved. */
async function fileFor(lake: AuditLake, wanted: LakeDay): Promise<DayFile> {
  const { columns } = wanted.table
  const files = await workFiles(lake.workFolder(wanted), wanted, 1)
  const checks = await writeLines(setup.db, wanted, { path: files.lines })
  const sha256 = await writeParquet(columns, { from: files.lines, to: files.parquet })
  return { ...wanted, path: files.parquet, content: { ...checks, sha256, columns } }
}

async function store(lake: AuditLake, day: Day): Promise<DayFile> {
  const file = await fileFor(lake, ledgerDay(day))
  await lake.upload(file)
  await lake.publish(file)
  return file
}

describe.each([
  ['files', parquet],
  ['BigQuery', bigQuery],
])('the audit lake in %s', (_, open) => {
  it('has a day as it was written, next to other days', async () => {
    await using subject = await open()
    const { lake } = subject
    for (const day of ['2026-04-01', '2026-04-02']) {
      const { content } = await store(lake, day)
      expect(content.rows).toBeGreaterThan(0)
      expect(await lake.reread(ledgerDay(day), content.columns)).toEqual({
        rows: content.rows,
        minId: content.minId,
        maxId: content.maxId,
        hashSum: content.hashSum,
      })
    }
  })

  it('has the same content after a repetition', async () => {
    await using subject = await open()
    const { lake } = subject
    const { content } = await store(lake, '2026-04-01')
    await store(lake, '2026-04-01')
    expect(isEqual(content, await lake.reread(ledgerDay('2026-04-01'), content.columns))).toBe(true)
  })

  it('does not have a day that was not published', async () => {
    await using subject = await open()
    const { lake } = subject
    const { content } = await store(lake, '2026-04-01')
    const other = await lake.reread(ledgerDay('2026-04-02'), content.columns)
    expect(isEqual(content, other)).toBe(false)
    expect(other?.rows ?? 0).toBe(0)
  })

  it('STAFF-LAKE-03 shows a changed value', async () => {
    await using subject = await open()
    const { lake } = subject
    const { content } = await store(lake, '2026-04-01')
    await store(lake, '2026-04-02')
    await subject.damage('2026-04-01')
    const reread = await lake.reread(ledgerDay('2026-04-01'), content.columns)
    expect(isEqual(content, reread)).toBe(false)
  })
})

describe('BigQuery', () => {
  it('STAFF-LAKE-06 adds a column that a later day has', async () => {
    await using subject = await bigQuery()
    const { lake } = subject
    const older = OPERATOR_ACTIVITY.columns.filter(({ name }) => name !== 'error_code')
    const table = { ...OPERATOR_ACTIVITY, columns: older }
    const first = await fileFor(lake, { table, day: '2026-04-01' })
    await lake.upload(first)
    const second = await store(lake, '2026-04-02')
    for (const { content, day } of [first, second]) {
      expect(isEqual(content, await lake.reread(ledgerDay(day), content.columns))).toBe(true)
    }
  })

  it('loads a file once per content, and takes the earlier job for a repeated one', async () => {
    await using subject = await bigQuery()
    const file = await fileFor(subject.lake, ledgerDay('2026-04-01'))
    const id = `operator_activity_20260401_${file.content.sha256}`
    await subject.lake.upload(file)
    await subject.lake.upload(file)
    expect(subject.jobs()).toEqual([id])
    // Rows are missing, and the staging table of the first load is gone.
    await subject.remove()
    await subject.lake.upload(file)
    expect(subject.jobs()).toEqual([id, `${id}_2`])
    const reread = await subject.lake.reread(file, file.content.columns)
    expect(isEqual(file.content, reread)).toBe(true)
  })

  it('does not report a day as uploaded that it has with other values', async () => {
    await using subject = await bigQuery()
    const file = await fileFor(subject.lake, ledgerDay('2026-04-01'))
    await subject.lake.upload(file)
    await subject.damage('2026-04-01')
    await expect(subject.lake.upload(file)).rejects.toThrow(/other rows/)
    await subject.remove()
    await subject.lake.upload(file)
    const reread = await subject.lake.reread(file, file.content.columns)
    expect(isEqual(file.content, reread), 'control: without these rows it is complete').toBe(true)
  })

  it('exports a day and prunes it after it was read again', async () => {
    await using subject = await bigQuery()
    const { db, clock } = setup
    const deps = { db, clock, lake: subject.lake, writersMs: 300 }
    await setup.addDay('2026-04-03', 12)
    expect(await exportDay(deps, ledgerDay('2026-04-03'))).toBe('exported')
    const [verified] = await db.query(selectPrunable('operator_activity', '2026-04-04', 1))
    if (verified === undefined) throw new TypeError('not verified')
    expect(verified.day).toBe('2026-04-03')
    expect(await pruneDay(deps, ledgerDay('2026-04-03'), verified)).toBe('pruned')
  })
})
