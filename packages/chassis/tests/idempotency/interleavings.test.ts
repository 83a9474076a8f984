import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixture, type Fixture, ISOLATED } from './_database.ts'
import { histories, type Op, playHistory } from './_model.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(ISOLATED)
})
afterAll(() => fixture[Symbol.asyncDispose]())

/** An outdated attempt of a pruned generation, which random histories rarely contain. */
const examples: [Op[]][] = [
  [
    [
      { op: 'send', scope: 0, body: 0 },
      { op: 'end-leases' },
      { op: 'expire', scope: 0, body: 0 },
      { op: 'prune' },
      { op: 'send', scope: 0, body: 0 },
      { op: 'finish', held: 0 },
      { op: 'finish', held: 0 },
    ],
  ],
]

it('executes every generation of a key at most once, in any order of events', async () => {
  const property = fc.asyncProperty(histories, (history) => playHistory(fixture, history))
  const details = await fc.check(property, { numRuns: 200, examples })
  expect(fc.defaultReportMessage(details) ?? 'held').toBe('held')
}, 60_000)
