import { sql } from '@melmastoon/chassis/db'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allNotes, createFixture, type Fixture, ISOLATED } from './_database.ts'
import { histories, type Op, World } from './_model.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(ISOLATED)
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** A zombie of a pruned generation, which chance finds too seldom. */
const examples: [Op[]][] = [
  [
    [
      { op: 'send', scope: 0, body: 0 },
      { op: 'lapse' },
      { op: 'expire', scope: 0, body: 0 },
      { op: 'prune' },
      { op: 'send', scope: 0, body: 0 },
      { op: 'finish', held: 0 },
      { op: 'finish', held: 0 },
    ],
  ],
]

async function play(history: readonly Op[]): Promise<void> {
  await fixture.admin.query(sql`truncate idem_isolated.idempotency, idem_isolated.note`)
  const world = new World(fixture)
  for (const op of history) await world.run(op)
  const marks = (await allNotes(fixture)).map((note) => note.mark)
  expect(marks).toEqual(world.effects)
  expect(new Set(world.generationsDone).size).toBe(world.generationsDone.length)
}

it('carries out every generation of a key at most once, whatever the order of events', async () => {
  await fc.assert(fc.asyncProperty(histories, play), { numRuns: 150, examples })
}, 60_000)
