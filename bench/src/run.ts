import { parseBenchOptions } from './bench-options.ts'
import { installPeers } from './harness/peers.ts'
import { describeRun, type RunFacts, readCommit } from './report/describe-run.ts'
import { load, QUIET_LOAD } from './report/machine.ts'
import { renderDetails, renderGoals } from './report/render-report.ts'
import { writeReport } from './report/write-report.ts'
import { rows } from './rows/index.ts'
import { runBench } from './run-bench.ts'

const LIMIT_MS = 60 * 60_000

function readOptions() {
  try {
    return parseBenchOptions(process.argv.slice(2), rows)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(64)
  }
}

const options = readOptions()
if (!options.short) installPeers()
const startedAt = new Date()
const commit = readCommit()
const loadBefore = load()
console.log(`Measuring ${options.rows.length} rows of ${commit}.`)
if (loadBefore > QUIET_LOAD) {
  console.log(`The machine is busy (load ${loadBefore.toFixed(1)}): trust large differences only.`)
}
const results = await runBench({ ...options, withPeers: true, limitMs: LIMIT_MS, say: console.log })
const seconds = (Date.now() - startedAt.getTime()) / 1000
const goals = renderGoals(results)
const facts: RunFacts = { startedAt, commit, loadBefore, seconds, results }
const description = await describeRun(facts)
console.log(`\n${renderDetails(results)}\n\n${goals}\n\n${description}\n`)
const failures = results.flatMap(({ row, failures: each }) =>
  each.map((text) => `${row.id}: ${text}`),
)
for (const failure of failures) console.error(`✗ ${failure}`)
if (options.write && failures.length === 0) {
  writeReport([description, goals, renderDetails(results)].join('\n\n'))
  console.log('Written to docs/benchmarks.md.')
}
process.exitCode = failures.length === 0 ? 0 : 1
