import { expect, it } from 'vitest'
import { describeChecked } from './histories/check-histories.ts'
import { checkSeveralSeeds } from './histories/check-several-seeds.ts'

const RUNS = 2_000
const TIME_LIMIT_MS = 280_000

/** The long form is in histories-1.faults.test.ts and its siblings. */
it('F1-F12 hold in random histories', async () => {
  const checked = await checkSeveralSeeds({ seed: 1, runs: RUNS, timeLimitMs: TIME_LIMIT_MS })
  process.stdout.write(describeChecked(checked))
  expect(checked.histories).toBe(RUNS)
  // The check would be worthless if guests did not get as far as paying.
  for (const event of ['settled poll confirmed', 'settled sweep abandoned', 'finish → ok']) {
    expect(checked.happened.has(event), event).toBe(true)
  }
}, 300_000)
