import {
  documentedKeys,
  type FoundKey,
  keysInRedis,
  missingKeys,
  undocumentedKeys,
} from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJourneyClient, journeyTo } from '../harness/guest-journey.ts'
import { type Fixture, startFixture } from '../harness/start-consumer.ts'

const DOCUMENT = new URL('../../../../docs/redis-keys.md', import.meta.url)

const SERVICE = 'bff-consumer-service'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const bothInstances = () => keysInRedis(fixture.service.ctx)

/** The keys before the last step, which clears the session, and those after it. */
async function runStep(): Promise<FoundKey[]> {
  const [hotel] = fixture.upstreams.hotels
  if (hotel === undefined) throw new TypeError('no hotel')
  const request = createJourneyClient(fixture.service.url)
  const steps = journeyTo(hotel)
  const statuses: number[] = []
  for (const step of steps.slice(0, -1)) statuses.push(await request(step))
  expect(statuses.every((status) => status < 300)).toBe(true)
  // Searches are stored after the response.
  const hasSearches = async () =>
    (await bothInstances()).some(({ key }) => key.includes(':guest-searches:'))
  await expect.poll(hasSearches).toBe(true)
  const before = await bothInstances()
  for (const step of steps.slice(-1)) expect(await request(step)).toBeLessThan(300)
  return [...before, ...(await bothInstances())]
}

it('D27 a journey leaves exactly the documented keys in Redis', async () => {
  const rows = await documentedKeys(DOCUMENT, SERVICE)
  expect(rows.map(({ maxSeconds }) => maxSeconds)).not.toContain(Number.NaN)
  const found = await runStep()
  expect(undocumentedKeys(rows, found)).toEqual([])
  expect(missingKeys(rows, found)).toEqual([])
})

it('control: another name, instance or TTL is reported', async () => {
  const rows = await documentedKeys(DOCUMENT, SERVICE)
  const session = 'bff-consumer-service:v1:session:hash'
  const key = `bff-consumer-service:v1:search-session:{${session}}:srs_1`
  const known = { instance: 'session', key, ttlSeconds: 3_600 }
  expect(undocumentedKeys(rows, [known])).toEqual([])
  const otherGuests = [
    { ...known, key: 'srs_session:srs_1' },
    { ...known, instance: 'cache' },
    { ...known, ttlSeconds: 3_601 },
    { ...known, ttlSeconds: -1 },
  ]
  expect(undocumentedKeys(rows, otherGuests)).toEqual(otherGuests)
})
