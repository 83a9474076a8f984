import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareSequences } from './conformance/compare-sequences.ts'
import { type RunningSandbox, startSandbox } from './conformance/sandbox-subject.ts'

let sandbox: RunningSandbox

beforeAll(async () => {
  sandbox = await startSandbox()
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

/** The long form is in conformance.faults.test.ts. */
it('the simulated upstream responds like the sandbox', async () => {
  const { outcomes } = await compareSequences(sandbox, { seed: 1, runs: 36, settledRuns: 2 })
  // The comparison would be worthless if most steps were rejected.
  const kinds = [
    'hold',
    'extend',
    'reprice',
    'confirm',
    'cancel',
    'create_intent',
    'capture',
    'refund',
  ]
  expect(kinds.filter((kind) => !outcomes.has(`${kind} ok`))).toEqual([])
}, 60_000)
