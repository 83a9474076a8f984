import { idToUuid, nightsOf } from '@melmastoon/domain'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  queryAsAdmin,
  type RunningSandbox,
  type Stage,
  setStage,
  startSandbox,
} from '../start-sandbox.ts'
import { anyRounds, type Hold, type Played, playRounds } from './hold-model.ts'
import { readNights, reconcile } from './hotel.ts'

let stage: Stage
let sandbox: RunningSandbox

beforeAll(async () => {
  stage = await setStage()
  sandbox = await startSandbox(stage)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

it('HOLD-15 whatever happens to holds at once, rooms add up and nobody is told two things', async () => {
  const target = { stage, url: sandbox.url }
  await fc.assert(
    fc.asyncProperty(anyRounds, (rounds) => playRounds(target, rounds, checkRest)),
    { numRuns: 12 },
  )
})

interface StateRow {
  allocation_id: string
  state: string
}

async function checkRest({ hotel, holds, answers }: Played): Promise<void> {
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(await reconcile(stage)).toEqual([])
  const rows = await queryAsAdmin<StateRow>(
    stage,
    'select allocation_id, state from sandbox.inventory_allocation where property_id = $1',
    [idToUuid(hotel.propertyId)],
  )
  const states = new Map(rows.map(({ allocation_id, state }) => [allocation_id, state]))
  expect(rows).toHaveLength(holds.length)
  const promised = new Map<string, number>()
  for (const hold of holds) {
    const id = idToUuid(hold.allocationId as Parameters<typeof idToUuid>[0])
    const state = states.get(id)
    checkHistory(hold, state)
    if (state !== 'active' && state !== 'committed') continue
    for (const night of nightsOf(hold.stay)) {
      promised.set(night, (promised.get(night) ?? 0) + hold.rooms)
    }
  }
  for (const { night, held, sold, capacity } of await readNights(stage, hotel.roomTypeIds[0])) {
    expect(held + sold).toBe(promised.get(night) ?? 0)
    expect(held + sold).toBeLessThanOrEqual(capacity)
  }
}

/** What was answered with success is what is: no second sale, no sale of what was given back. */
function checkHistory({ done }: Hold, state: string | undefined): void {
  expect(done.commit).toBeLessThanOrEqual(1)
  expect(done.release).toBeLessThanOrEqual(1)
  if (done.release === 1) expect(state).toBe('released')
  else if (done.commit === 1) expect(state).toBe('committed')
  else expect(['active', 'expired']).toContain(state)
}
