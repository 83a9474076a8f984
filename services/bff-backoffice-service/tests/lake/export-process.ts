import { systemClock } from '@melmastoon/chassis/clock'
import { createDatabase } from '@melmastoon/chassis/db'
import { createMetrics } from '@melmastoon/chassis/telemetry'
import { OPERATOR_ACTIVITY } from '../../src/lake/lake-tables.ts'
import { createParquetLake } from '../../src/lake/parquet-lake.ts'
import { lakeMetrics, runExport } from '../../src/lake/run-export.ts'

/** One run of the export of the ledger; the test kills it at a crash point. */
const [url = '', folder = ''] = process.argv.slice(2)
const onError = (error: unknown) => {
  throw error
}
await using db = createDatabase({ url, poolMax: 2, onError })
const summary = await runExport(
  {
    db,
    lake: createParquetLake(folder),
    clock: systemClock,
    metrics: lakeMetrics(createMetrics('test')),
    onError,
  },
  OPERATOR_ACTIVITY,
  AbortSignal.timeout(600_000),
)
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6
process.stdout.write(`${JSON.stringify({ ...summary, rss: maxRSS, cpuSeconds })}\n`)
