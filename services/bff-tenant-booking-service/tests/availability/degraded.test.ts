import type { StayDates } from '@melmastoon/domain'
import { eventually } from '@melmastoon/testkit'
import type { PropertyDetail } from '@melmastoon/upstream-contracts/property'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AvailabilityVM } from '../../src/availability/availability-view.ts'
import { createSite } from '../harness/site.ts'
import { type Booking, SLUG, startWithSandbox } from '../harness/start-booking.ts'
import { type FaultBody, hotelOf, stayAt, whileBroken } from '../harness/stays.ts'

/** No test reads its hotels successfully, so they are never cached. */
const COLD_SLUG = 'caravan-istanbul'

let booking: Booking
let hotel: PropertyDetail
let day = 20

beforeAll(async () => {
  booking = await startWithSandbox()
  hotel = await hotelOf(booking, SLUG)
  await read(freshStay())
})
afterAll(() => booking[Symbol.asyncDispose]())

/** A stay that nobody has asked for, so that nothing is cached. */
function freshStay(): StayDates {
  day += 1
  return stayAt(hotel, { days: day })
}

const path = ({ checkIn, checkOut }: StayDates) =>
  `/availability?propertyId=${hotel.propertyId}&checkIn=${checkIn}&checkOut=${checkOut}`

async function read(stay: StayDates) {
  const startedMs = performance.now()
  const response = await booking.site.browser().get(path(stay))
  const view = JSON.parse(response.text) as AvailabilityVM
  const sections = Object.entries(view.sections ?? {}).map(([name, { status }]) => [name, status])
  return {
    ...response,
    view,
    sections: Object.fromEntries(sections) as Record<string, string>,
    tookMs: performance.now() - startedMs,
  }
}

/** Well above the limit of each upstream, so that a busy machine does not fail the test. */
const BUDGET_MS = 1_900

const FAULTS: readonly FaultBody[] = [
  { kind: 'down' },
  { kind: 'slow', delayMs: 5_000 },
  { kind: 'lying' },
]

/** Faults open the circuit breaker; the next test starts when it is closed again. */
async function untilHealthy(): Promise<void> {
  await eventually(async () => {
    const { view } = await read(freshStay())
    if (view.degraded !== false) throw new Error('still degraded')
  })
}

describe.each(FAULTS)('while $kind', (fault) => {
  it('pricing leaves out prices only (F-5)', async () => {
    const { status, view, sections, tookMs } = await whileBroken(booking, ['pricing', fault], () =>
      read(freshStay()),
    )
    expect([status, sections]).toEqual([
      200,
      { property: 'fresh', inventory: 'fresh', prices: 'missing' },
    ])
    expect(view.rooms.length).toBe(hotel.roomTypes.length)
    for (const room of view.rooms.filter(({ reason }) => reason === 'price_unavailable')) {
      expect(room).toMatchObject({ priceUnavailable: true, bookable: false, offers: [] })
      expect(room).not.toHaveProperty('cheapest')
    }
    expect(view.rooms.some(({ priceUnavailable }) => priceUnavailable)).toBe(true)
    expect(view).toMatchObject({ degraded: true, stale: false })
    expect(tookMs).toBeLessThan(BUDGET_MS)
    await untilHealthy()
  })

  it('inventory leaves out how many rooms are left (F-3)', async () => {
    const { status, view, sections, tookMs } = await whileBroken(
      booking,
      ['inventory', fault],
      () => read(freshStay()),
    )
    expect([status, sections]).toEqual([
      200,
      { property: 'fresh', inventory: 'missing', prices: 'fresh' },
    ])
    expect(view.rooms.some(({ cheapest }) => cheapest !== undefined)).toBe(true)
    expect(view.rooms.every((room) => !('left' in room))).toBe(true)
    expect(view).toMatchObject({ degraded: true, stale: true })
    expect(tookMs).toBeLessThan(BUDGET_MS)
    await untilHealthy()
  })

  it('property is served from the cache, and without one the response says so in time', async () => {
    await whileBroken(booking, ['property', fault], async () => {
      expect((await read(freshStay())).status).toBe(200)
      const { checkIn, checkOut } = freshStay()
      const cold = createSite(booking.service.url, COLD_SLUG).browser()
      const startedMs = performance.now()
      const { status, body } = await cold.get(
        `/availability?checkIn=${checkIn}&checkOut=${checkOut}`,
      )
      expect([502, 503, 504]).toContain(status)
      expect(body['code']).toMatch(/^MELMASTOON\.BFF\./)
      expect(performance.now() - startedMs).toBeLessThan(BUDGET_MS)
    })
    await untilHealthy()
  })
})

it('all of them hanging keep the budget of the request', async () => {
  const hanging = { kind: 'hanging' } as const
  const result = await whileBroken(booking, ['pricing', hanging], () =>
    whileBroken(booking, ['inventory', hanging], () => read(freshStay())),
  )
  expect([result.status, result.sections]).toEqual([
    200,
    { property: 'fresh', inventory: 'missing', prices: 'missing' },
  ])
  expect(result.tookMs).toBeLessThan(BUDGET_MS)
  await untilHealthy()
})

it('an incomplete response is composed again as soon as the upstream responds', async () => {
  const stay = freshStay()
  await whileBroken(booking, ['pricing', { kind: 'down' }], async () => {
    expect((await read(stay)).sections['prices']).toBe('missing')
  })
  await eventually(async () => {
    const { sections } = await read(stay)
    if (sections['prices'] !== 'fresh') throw new Error('still without prices')
  })
})
