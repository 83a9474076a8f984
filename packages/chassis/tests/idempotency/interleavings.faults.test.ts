import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixture, type Fixture, ISOLATED } from './_database.ts'
import { histories, playHistory } from './_model.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await createFixture(ISOLATED)
})
afterAll(() => fixture[Symbol.asyncDispose]())

it('executes every generation at most once in ten thousand histories', async () => {
  const property = fc.asyncProperty(histories, (history) => playHistory(fixture, history))
  const details = await fc.check(property, { numRuns: 10_000 })
  expect(fc.defaultReportMessage(details) ?? 'held').toBe('held')
}, 1_800_000)
