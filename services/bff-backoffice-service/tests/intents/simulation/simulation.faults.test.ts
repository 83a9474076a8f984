import { expect, it } from 'vitest'
import { runRandomHistories } from './random-histories.ts'

const RUNS = 100_000
/** Set: as many runs as the time allows. Otherwise all of them, in at most this time. */
const LIMIT_SECONDS = process.env['SIMULATION_SECONDS']
const RUNS_MIN = LIMIT_SECONDS === undefined ? RUNS : 1
const TIME_LIMIT_MS = Number(LIMIT_SECONDS ?? '600') * 1_000

it(
  'STAFF-INT-16 100,000 random histories',
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] ?? '2')
    const details = await runRandomHistories({ seed, runs: RUNS, timeLimitMs: TIME_LIMIT_MS })
    process.stdout.write(`STAFF-INT-16: seed ${seed}, ${details.numRuns} of ${RUNS} runs\n`)
    expect([details.counterexample, details.errorInstance]).toEqual([null, null])
    expect(details.numRuns).toBeGreaterThanOrEqual(RUNS_MIN)
  },
  TIME_LIMIT_MS + 60_000,
)
