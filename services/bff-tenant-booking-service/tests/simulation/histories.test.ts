import { expect, it } from 'vitest'
import { describeChecked } from './histories/check-histories.ts'
import { checkInLanes } from './histories/check-in-lanes.ts'

const RUNS = 2_000
const TIME_LIMIT_MS = 150_000

/** The long form is in histories-1.faults.test.ts and its siblings. */
it('F1-F12 hold in random histories', async () => {
  const checked = await checkInLanes({ seed: 1, runs: RUNS, timeLimitMs: TIME_LIMIT_MS })
  process.stdout.write(describeChecked(checked))
  // The check would be worthless if guests did not get as far as paying.
  for (const event of ['settled poll confirmed', 'settled sweep abandoned', 'finish → ok']) {
    expect(checked.happened.has(event), event).toBe(true)
  }
}, 240_000)
