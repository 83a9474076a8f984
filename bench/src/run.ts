import { parseBenchOptions } from './bench-options.ts'
import { installPeers } from './harness/peers.ts'
import { describeRun, type RunFacts } from './report/describe-run.ts'
import { load, QUIET_LOAD } from './report/machine.ts'
import { renderDetails, renderGoals } from './report/render-report.ts'
import { writeReport } from './report/write-report.ts'
import { rows } from './rows/index.ts'
import { runBench } from './run-bench.ts'

const LIMIT_MS = 40 * 60_000
const known = rows.map(({ id }) => id)

function readOptions() {
  try {
    return parseBenchOptions(process.argv.slice(2), known)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(64)
  }
}

const options = readOptions()
if (!options.short) installPeers()
const startedAt = new Date()
const loadBefore = load()
if (loadBefore > QUIET_LOAD) {
  console.log(`The machine is busy (load ${loadBefore.toFixed(1)}): trust large differences only.`)
}
const results = await runBench({ ...options, withPeers: true, limitMs: LIMIT_MS, say: console.log })
const facts: RunFacts = {
  startedAt,
  loadBefore,
  seconds: (Date.now() - startedAt.getTime()) / 1000,
}
const goals = renderGoals(results)
console.log(`\n${renderDetails(results)}\n\n${goals}\n`)
const failures = results.flatMap(({ row, failures: each }) =>
  each.map((text) => `${row.id}: ${text}`),
)
for (const failure of failures) console.error(`✗ ${failure}`)
const isWhole = options.rows.length === known.length && !options.short && failures.length === 0
if (isWhole) {
  const description = await describeRun(facts)
  writeReport([description, goals, renderDetails(results)].join('\n\n'))
  console.log('Written to docs/benchmarks.md.')
}
process.exitCode = failures.length === 0 ? 0 : 1
