import { describe, expect, it } from 'vitest'
import { checkHistory, type HistoryPlan, type PlannedAction } from './check-history.ts'
import { runRandomHistories } from './random-histories.ts'
import type { Fault, SimulationControls } from './simulate.ts'
import { followPath, nextPath, randomChoices, type Taken } from './turns.ts'

const act = (name: PlannedAction['name'], version = 1): PlannedAction => ({
  name,
  version,
  task: 0,
  dependsOnPrevious: false,
})

const plan = (...devices: PlannedAction[][]): HistoryPlan => ({
  tasks: ['pending'],
  devices: devices.map((actions, at) => ({
    actions,
    duplicates: 0,
    separate: 0,
    skewDays: at === 0 ? 3 : -3,
  })),
})

/** Every order of the calls, one after the other. */
async function checkAllOrders(history: HistoryPlan, controls: SimulationControls = {}) {
  const mistakes: string[] = []
  let orders = 0
  for (let path: number[] | null = []; path !== null; ) {
    const taken: Taken[] = []
    const found = await checkHistory(history, { choose: followPath(path, taken), controls })
    mistakes.push(...found)
    orders += 1
    path = nextPath(taken)
  }
  return { orders, mistakes }
}

describe('STAFF-INT-01 two devices', () => {
  it.each([
    ['start the same task', [act('task.start')], [act('task.start')]],
    ['start it and complete it', [act('task.start')], [act('task.complete', 2)]],
    ['complete it too early, and start it', [act('task.complete', 1)], [act('task.start')]],
  ])('%s: every interleaving is a serial order', async (_, first, second) => {
    const { orders, mistakes } = await checkAllOrders(plan(first, second))
    process.stdout.write(`STAFF-INT-01: ${orders} interleavings\n`)
    expect(orders).toBeGreaterThan(50)
    expect(mistakes).toEqual([])
  })

  it('the control: without versions an interleaving is no serial order', async () => {
    const history = plan([act('task.start'), act('task.complete', 2)], [act('task.complete', 1)])
    const [guarded, unguarded]: [string[], string[]] = [[], []]
    for (let seed = 1; seed <= 300; seed += 1) {
      guarded.push(...(await checkHistory(history, { choose: randomChoices(seed) })))
      const controls = { ignoresVersions: true }
      unguarded.push(...(await checkHistory(history, { choose: randomChoices(seed), controls })))
    }
    expect([guarded, unguarded.includes('no serial order')]).toEqual([[], true])
  })
})

describe('STAFF-INT-03 two attempts at the same time', () => {
  /** One call in four takes so long that the claims end. */
  const check = (seed: number, controls: SimulationControls) => {
    const { tasks, devices } = plan([act('task.start')], [act('task.complete', 2)])
    const twice = devices.map((device) => ({ ...device, duplicates: 1 }))
    const choose = randomChoices(seed)
    const faultOf = (): Fault => (choose(4) === 0 ? 'slow' : 'none')
    return checkHistory({ tasks, devices: twice }, { choose, faultOf, controls })
  }

  it('no change after the end of a claim; with one, an effect has another verdict', async () => {
    const [guarded, unguarded]: [string[], string[]] = [[], []]
    for (let seed = 1; seed <= 300; seed += 1) {
      guarded.push(...(await check(seed, {})))
      unguarded.push(...(await check(seed, { ignoresLeases: true })))
    }
    expect([guarded, unguarded.includes('task.complete has 1 effects')]).toEqual([[], true])
  })
})

describe('STAFF-INT-03 a crash', () => {
  it.each([
    ['crash', false],
    ['crash', true],
    ['down', false],
    ['lost', true],
  ] as const)('at each call (%s, after a day: %s): one effect', async (fault, afterADay) => {
    const history = plan([act('task.start'), act('task.complete', 2), act('folio.post_charge')])
    const mistakes: string[] = []
    let calls = Number.POSITIVE_INFINITY
    for (let at = 0; at < calls; at += 1) {
      let call = 0
      const faultOf = (): Fault => (call++ === at ? fault : 'none')
      mistakes.push(...(await checkHistory(history, { choose: () => 0, faultOf, afterADay })))
      calls = Math.min(calls, call)
    }
    expect(calls).toBeGreaterThan(10)
    expect(mistakes).toEqual([])
  })
})

describe('STAFF-INT-16 random histories', () => {
  it('have one verdict and one effect per intent, in some serial order', async () => {
    const seed = Number(process.env['SIMULATION_SEED'] ?? '1')
    const details = await runRandomHistories({ seed, runs: 1_000, timeLimitMs: 15_000 })
    process.stdout.write(`STAFF-INT-16: seed ${seed}, ${details.numRuns} runs\n`)
    expect([details.counterexample, details.errorInstance]).toEqual([null, null])
    expect(details.numRuns).toBeGreaterThan(100)
  })

  it.each([{ ignoresVersions: true }, { ignoresKeys: true }, { rejectsMissing: true }])(
    'the control: %o is found',
    async (controls) => {
      const { failed } = await runRandomHistories({
        seed: 1,
        runs: 3_000,
        controls,
        shrinks: false,
      })
      expect(failed).toBe(true)
    },
  )
})
