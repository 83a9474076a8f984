import { shortRows } from './rows/index.ts'
import { runBench } from './run-bench.ts'

/**
 * The short benchmark for `npm test`: every row runs once with a few requests and must produce its
 * numbers, and facts that are independent of the machine must hold. No timing is asserted.
 */
const results = await runBench({
  rows: shortRows.map(({ id }) => id),
  short: true,
  withPeers: false,
  limitMs: 180_000,
  say: () => undefined,
  onRow({ row, failures, seconds }) {
    for (const failure of failures) console.log(`  ${row.id}: ${failure}`)
    const mark = failures.length === 0 ? '✓' : '✗'
    console.log(`${mark} ${row.id} ${row.title} ${seconds.toFixed(1)} s`)
  },
})
const isWhole = results.length === shortRows.length
process.exitCode = isWhole && results.every(({ failures }) => failures.length === 0) ? 0 : 1
