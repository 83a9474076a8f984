import { expect, it } from 'vitest'
import { runRandomHistories } from './random-histories.ts'

const RUNS = 100_000
const TIME_LIMIT_MS = Number(process.env['SIMULATION_SECONDS'] ?? '600') * 1_000

it(
  'STAFF-INT-16 random histories, long form',
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] ?? '2')
    const details = await runRandomHistories({ seed, runs: RUNS, timeLimitMs: TIME_LIMIT_MS })
    process.stdout.write(`STAFF-INT-16: seed ${seed}, ${details.numRuns} runs\n`)
    expect([details.counterexample, details.errorInstance]).toEqual([null, null])
    expect(details.numRuns).toBeGreaterThan(1_000)
  },
  TIME_LIMIT_MS + 60_000,
)
