import { rawSql, sql } from '@melmastoon/chassis/db'
import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepActivityPartitions } from '../../src/activity/partition-keeper.ts'
import { openAs } from '../activity/activity-fixture.ts'
import { type LakeSetup, partitionName, startLake } from './lake-fixture.ts'

/** Yesterday: exported, and not deleted. */
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
/** A day at 93 mutations per second; `LAKE_ROWS` makes the test shorter. */
const ROWS = Number(process.env['LAKE_ROWS'] ?? 8_000_000)

let setup: LakeSetup
beforeAll(async () => {
  setup = await startLake()
  await keepActivityPartitions(setup.db)
  await fill()
}, 900_000)
afterAll(() => setup[Symbol.asyncDispose]())

/** Rows as the ledger has them, in the order of their ids. */
async function fill(): Promise<void> {
  const { environment } = setup
  const part = `${environment.schema}.${partitionName(DAY)}`
  const startMs = Date.parse(DAY)
  await environment.query(
    `insert into ${part} select
       (lpad(to_hex(${startMs} + n * 86400000 / ${ROWS}), 12, '0') || md5(n::text)::char(20))::uuid,
       md5((n % 200)::text)::uuid, md5((n % 300)::text)::uuid,
       'opr_01M7HCH6ZGH8PH2JVCQV9' || lpad((n % 5000)::text, 5, '0'),
       'dev_01M7HCH6ZGH8PH2JVCQV9' || lpad((n % 5000)::text, 5, '0'),
       'bos_01M7HCH6ZGH8PH2JVCQV9' || lpad((n % 9000)::text, 5, '0'),
       to_timestamp((${startMs} + n * 86400000 / ${ROWS}) / 1000.0), 'desk', 'reservation.check_in',
       'reservation', 'rsv_01M7HCH6ZGH8' || lpad(n::text, 14, '0'), 'success', n % 400, null, null
     from generate_series(0::bigint, ${ROWS - 1}) as n`,
  )
  await environment.query(`analyze ${part}`)
}

it('STAFF-LAKE-09 exports a large day in less than two minutes and 500 MB', async () => {
  const { environment, folder } = setup
  await using relay = openAs(environment, 'relay')
  const entry = new URL('./export-process.ts', import.meta.url)
  const startedMs = performance.now()
  const exporter = spawnProcess(entry, { args: [environment.relayUrl, folder] })
  expect(await exporter.exited).toEqual({ code: 0, signal: null })
  const seconds = (performance.now() - startedMs) / 1000
  const summary = JSON.parse(exporter.lines.at(-1) ?? '{}') as {
    rss: number
    exported: number
    cpuSeconds: number
  }
  const rssMb = Math.round(summary.rss / 1024)
  process.stdout.write(
    `${ROWS} rows: ${seconds.toFixed(1)} s, ${rssMb} MB, CPU of the exporter ${summary.cpuSeconds.toFixed(1)} s\n`,
  )
  const [row] = await relay.query(
    sql<{
      rows: number
    }>`select row_count as rows from lake_export where day = ${rawSql(`'${DAY}'`)}`,
  )
  expect([summary.exported, row?.rows]).toEqual([1, ROWS])
  expect(rssMb).toBeLessThan(500)
  expect(seconds).toBeLessThan(120)
}, 600_000)
