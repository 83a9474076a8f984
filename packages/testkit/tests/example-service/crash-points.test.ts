import { afterAll, beforeAll, describe, it } from 'vitest'
import { surviveCrash } from './crash-journey.ts'
import { type Stage, setStage } from './start-example.ts'

/** One place of each kind; `npm run test:faults` goes through all of them. */
const CRASH_POINTS = ['idempotency.before_checkpoint', 'relay.after_publish', 'inbox.after_effect']

describe.each(CRASH_POINTS)('SIGKILL at %s', (point) => {
  let stage: Stage

  beforeAll(async () => {
    stage = await setStage()
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  it('loses nothing and does nothing twice', { timeout: 90_000 }, async () => {
    await surviveCrash(stage, point)
  })
})
