import { afterAll, beforeAll, describe, it } from 'vitest'
import { surviveCrash } from './crash-journey.ts'
import { type Stage, setStage } from './start-example.ts'

const CRASH_POINTS = [
  'idempotency.after_claim',
  'idempotency.before_checkpoint',
  'idempotency.after_checkpoint',
  'idempotency.before_complete',
  'idempotency.before_send',
  'relay.after_claim',
  'relay.after_publish',
  'relay.mid_batch',
  'inbox.before_effect',
  'inbox.after_effect',
  'inbox.after_commit',
]

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
