import { documentedKeys, keysInRedis, missingKeys, undocumentedKeys } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { draftOf, withDetails } from '../harness/booking-flow.ts'
import { eventsOf } from '../harness/outbox-events.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { hotelOf } from '../harness/stays.ts'

const DOCUMENT = new URL('../../../../docs/redis-keys.md', import.meta.url)
const SERVICE = 'bff-tenant-booking-service'

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

/** Without those of the sandbox, which uses the same instances. */
async function keysOfService() {
  const found = await keysInRedis(booking.service.ctx)
  return found.filter(({ key }) => !key.startsWith('platform-sandbox:'))
}

it('D27 a journey leaves exactly the documented keys in Redis', async () => {
  const rows = await documentedKeys(DOCUMENT, SERVICE)
  expect(rows.map(({ maxSeconds }) => maxSeconds)).not.toContain(Number.NaN)
  const guest = await booking.site.guest()
  await guest.post('/session/locale', { locale: 'ps-AF' })
  await withDetails(guest, await draftOf(guest, await hotelOf(booking, SLUG)))
  // Hot copies and once-only keys are written after the response.
  await eventsOf(booking, guest.sessionId)
  const found = await keysOfService()
  expect(undocumentedKeys(rows, found)).toEqual([])
  expect(missingKeys(rows, found)).toEqual([])
})
