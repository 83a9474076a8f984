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
  'F1-F12 hold in random histories, which reach every row of the tables',
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] ?? '2')
    const checked = await checkHistories({ store, seed, runs: RUNS, timeLimitMs: TIME_LIMIT_MS })
    process.stdout.write(describeChecked(checked))
    expect(unreached(checked.happened.keys())).toEqual([])
  },
  TIME_LIMIT_MS + 60_000,
)
