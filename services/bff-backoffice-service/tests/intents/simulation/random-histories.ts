import fc from 'fast-check'
import { checkHistory, type HistoryPlan } from './check-history.ts'
import type { Fault, SimulationControls } from './simulate.ts'
import { randomChoices } from './turns.ts'

const action = fc.record({
  name: fc.constantFrom('task.start', 'task.complete', 'task.inspect', 'folio.post_charge'),
  task: fc.nat(1),
  // Tasks begin with version 1: most expectations can hold at some time.
  version: fc.constantFrom(1, 1, 1, 1, 2, 2, 2, 3, 4),
  dependsOnPrevious: fc.boolean(),
}) satisfies fc.Arbitrary<HistoryPlan['devices'][number]['actions'][number]>

const device = fc.record({
  actions: fc.array(action, { minLength: 1, maxLength: 3 }),
  duplicates: fc.nat(3),
  separate: fc.nat(2),
  skewDays: fc.constantFrom(-3, 0, 3),
})

const plan: fc.Arbitrary<HistoryPlan> = fc.record({
  tasks: fc.array(fc.constantFrom('pending', 'in_progress', 'completed'), {
    minLength: 1,
    maxLength: 2,
  }),
  devices: fc.tuple(device, device),
})

/** One call in six has a fault. */
const FAULTS: readonly Fault[] = ['down', 'lost', 'crash', 'slow', ...Array<Fault>(20).fill('none')]

export interface RandomHistories {
  readonly seed: number
  readonly runs: number
  readonly timeLimitMs?: number
  readonly controls?: SimulationControls
  /** False: the first failure is enough. */
  readonly shrinks?: boolean
}

/** Two devices with random intents, duplicates, clocks, faults and interleavings. */
export async function runRandomHistories(options: RandomHistories) {
  const { seed, runs, timeLimitMs, controls = {}, shrinks = true } = options
  const property = fc.asyncProperty(plan, fc.integer(), async (history, order) => {
    const choose = randomChoices(order)
    const faultOf = () => FAULTS[choose(FAULTS.length)] ?? 'none'
    const mistakes = await checkHistory(history, { choose, faultOf, controls })
    if (mistakes.length > 0) throw new Error(mistakes.join('; '))
  })
  const limit = timeLimitMs === undefined ? {} : { interruptAfterTimeLimit: timeLimitMs }
  return await fc.check(property, { seed, numRuns: runs, endOnFailure: !shrinks, ...limit })
}
