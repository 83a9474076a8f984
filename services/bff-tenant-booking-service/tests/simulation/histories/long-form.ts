import { expect } from 'vitest'
import { describeChecked } from './check-histories.ts'
import { checkSeveralSeeds, SEEDS_AT_ONCE } from './check-several-seeds.ts'
import { unreached } from './coverage.ts'

const RUNS = 100_000
/** Each part is a file, so that they run in processes of their own at the same time. */
const PARTS = 3
/** Two hours; with a limit of its own a run counts as far as it gets. */
const LIMIT_SECONDS = process.env['SIMULATION_SECONDS']

export const TIME_LIMIT_MS = Number(LIMIT_SECONDS ?? '7200') * 1_000
/** About once a minute. */
const REPORT_EVERY = 250
const FIRST_SEED = Number(process.env['SIMULATION_SEED'] ?? '2')

/** A part of the 100,000 random histories, with seeds of its own. */
export async function expectHistoriesToHold(part: 1 | 2 | 3): Promise<void> {
  const runs = Math.ceil(RUNS / PARTS)
  const seed = FIRST_SEED + (part - 1) * SEEDS_AT_ONCE
  const checked = await checkSeveralSeeds({
    seed,
    runs,
    timeLimitMs: TIME_LIMIT_MS,
    reportEvery: REPORT_EVERY,
  })
  // Every row of the tables has its own course in coverage.test.ts.
  const rest = unreached(checked.happened.keys())
  process.stdout.write(
    `seeds from ${seed}: ${describeChecked(checked)}not reached by chance: ${rest.join('; ')}\n`,
  )
  expect(checked.histories).toBeGreaterThanOrEqual(LIMIT_SECONDS === undefined ? runs : 1)
}
