import { afterAll, beforeAll, expect, it } from 'vitest'
import { Journey } from '../harness/journey.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { workAllDay } from '../harness/working-day.ts'

const TIMEOUT_MS = 60_000
/** The stream and the refresh token are used without the client of the journey. */
const USED_OTHERWISE = ['staff.session.refresh', 'staff.stream.open']

let office: Backoffice
beforeAll(async () => {
  // The world of `npm start`: its ids are those in the examples.
  office = await startWithSandbox({ worldSeed: 'melmastoon' })
}, TIMEOUT_MS)
afterAll(() => office[Symbol.asyncDispose]())

const idsIn = (value: unknown) =>
  new Set(JSON.stringify(value).match(/\b(?:tnt|ppt|rmt|rmu|opr)_[0-9A-Z]{26}/g))

it('P14 the examples of all operations lead through a day', { timeout: TIMEOUT_MS }, async () => {
  const journey = await Journey.prepare(office, { slug: 'gulistan-hotel' })
  await workAllDay(journey)
  const sent = new Set(journey.exchanges.map(({ operation }) => operation))
  expect([...sent, ...USED_OTHERWISE].toSorted()).toEqual([...journey.operations.keys()].toSorted())
  const known = idsIn(journey.exchanges)
  const shown = [...journey.operations.values()].flatMap(({ responses }) =>
    responses.flatMap(({ examples }) => [...idsIn(examples)]),
  )
  expect(shown.length).toBeGreaterThan(50)
  expect([...new Set(shown)].filter((id) => !known.has(id))).toEqual([])
})
