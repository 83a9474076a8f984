import {
  documentedKeys,
  idsIn,
  keysInRedis,
  missingKeys,
  undocumentedKeys,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Journey } from '../harness/journey.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { workAllDay } from '../harness/working-day.ts'

const DOCUMENT = new URL('../../../../docs/redis-keys.md', import.meta.url)
const SERVICE = 'bff-backoffice-service'
const TIMEOUT_MS = 60_000
/** The stream, the refresh token and messages are used without the client of the journey. */
const USED_OTHERWISE = ['staff.message.list', 'staff.session.refresh', 'staff.stream.open']

let office: Backoffice
let journey: Journey
beforeAll(async () => {
  // The world of `npm start`: its ids are those in the examples.
  office = await startWithSandbox({ worldSeed: 'melmastoon' })
  journey = await Journey.prepare(office, { slug: 'gulistan-hotel' })
  await workAllDay(journey)
}, TIMEOUT_MS)
afterAll(() => office[Symbol.asyncDispose]())

/** Without those of the sandbox, which uses the same instances. */
async function keysOfService() {
  const found = await keysInRedis(office.service.ctx)
  return found.filter(({ key }) => !key.startsWith('platform-sandbox:'))
}

// First: some keys exist for two minutes only.
it('D27 a day leaves exactly the documented keys in Redis', async () => {
  const rows = await documentedKeys(DOCUMENT, SERVICE)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.map(({ maxSeconds }) => maxSeconds)).not.toContain(Number.NaN)
  const found = await keysOfService()
  expect(undocumentedKeys(rows, found)).toEqual([])
  expect(missingKeys(rows, found)).toEqual([])
})

it('P14 the examples of all operations lead through a day', () => {
  expect(journey.examples.unused()).toEqual(USED_OTHERWISE)
  const known = idsIn(journey.exchanges)
  const shown = journey.examples.shownIds()
  expect(shown.size).toBeGreaterThan(5)
  expect([...shown].filter((id) => !known.has(id))).toEqual([])
})
