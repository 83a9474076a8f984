import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import type { StayDates } from '@melmastoon/domain'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readHotel } from '../../src/hotels/read-hotel.ts'
import { hotelOf, warmUp } from '../harness/hotel-client.ts'
import { dayFromNow, type Fixture, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture

beforeAll(async () => {
  fixture = await startFixture()
  await warmUp(fixture)
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.upstreams.requests.length = 0
})

const REQUESTS = 1_000

function calls(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { upstream, path } of fixture.upstreams.requests) {
    const name = path.includes('calendar') ? 'calendar' : upstream
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** All requests arrive before the first upstream responds. */
async function requestConcurrently(stayOf: (at: number) => StayDates | undefined): Promise<number> {
  const { propertyId } = hotelOf(fixture.upstreams)
  const occupancy = { adults: 2, children: 0, rooms: 1 }
  const request = { propertyId, locale: 'en', currency: 'AFN', occupancy } as const
  const options = Array.from({ length: REQUESTS }, (_, at) => {
    const call = { deadline: createDeadline(20_000), trace: newTrace() }
    return readHotel(fixture.service.ctx, { ...request, stay: stayOf(at) }, call)
  })
  return (await Promise.all(options)).length
}

it('a thousand concurrent requests with empty caches call every upstream once', async () => {
  expect(await requestConcurrently(() => undefined)).toBe(REQUESTS)
  await expect.poll(calls).toEqual({ property: 1, search: 1, pricing: 1, calendar: 1, theme: 1 })
})

it('control: requests for different stays request different prices', async () => {
  const stays = 5
  const stayOf = (at: number) =>
    ({ checkIn: dayFromNow(50), checkOut: dayFromNow(51 + (at % stays)) }) as StayDates
  expect(await requestConcurrently(stayOf)).toBe(REQUESTS)
  await expect.poll(calls).toEqual({ pricing: stays, calendar: stays })
})
