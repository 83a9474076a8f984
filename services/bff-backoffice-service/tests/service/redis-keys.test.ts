import { documentedKeys, keysInRedis, missingKeys, undocumentedKeys } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Journey } from '../harness/journey.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'
import { workAllDay } from '../harness/working-day.ts'

const DOCUMENT = new URL('../../../../docs/redis-keys.md', import.meta.url)
const SERVICE = 'bff-backoffice-service'
const TIMEOUT_MS = 60_000

let office: Backoffice
beforeAll(async () => {
  office = await startWithSandbox()
}, TIMEOUT_MS)
afterAll(() => office[Symbol.asyncDispose]())

/** Without those of the sandbox, which uses the same instances. */
async function keysOfService() {
  const found = await keysInRedis(office.service.ctx)
  return found.filter(({ key }) => !key.startsWith('platform-sandbox:'))
}

it('D27 a day leaves exactly the documented keys in Redis', { timeout: TIMEOUT_MS }, async () => {
  const rows = await documentedKeys(DOCUMENT, SERVICE)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.map(({ maxSeconds }) => maxSeconds)).not.toContain(Number.NaN)
  await workAllDay(await Journey.prepare(office, { slug: 'gulistan-hotel' }))
  const found = await keysOfService()
  expect(undocumentedKeys(rows, found)).toEqual([])
  expect(missingKeys(rows, found)).toEqual([])
})
