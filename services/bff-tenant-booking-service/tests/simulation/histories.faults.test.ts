import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore, type SimulationStore } from './environment/simulation-store.ts'
import { checkHistories, describeChecked } from './histories/check-histories.ts'
import { unreached } from './histories/coverage.ts'

let store: SimulationStore

beforeAll(async () => {
  store = await openStore()
})
afterAll(() => store[Symbol.asyncDispose]())

const RUNS = 100_000
const TIME_LIMIT_MS = Number(process.env['SIMULATION_SECONDS'] ?? '600') * 1_000

it(
  'F1-F12 hold in random histories, long form',
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] ?? '2')
    const checked = await checkHistories({ store, seed, runs: RUNS, timeLimitMs: TIME_LIMIT_MS })
    // Every row of the tables has its own course in coverage.test.ts.
    const rest = unreached(checked.happened.keys())
    process.stdout.write(`${describeChecked(checked)}not reached by chance: ${rest.join('; ')}\n`)
    expect(checked.histories).toBeGreaterThan(0)
  },
  TIME_LIMIT_MS + 60_000,
)
