import { directionOf, LOCALES, type TenantId } from '@melmastoon/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HotelPage, HotelPriceVM } from '../../src/hotels/hotel-detail.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { getHotel, getHotelPrice, PREFERENCES, ratesOf } from '../harness/hotel-client.ts'
import {
  type Card,
  dayFromNow,
  itemsOf,
  post,
  searchRequest,
  sectionsOf,
  type TestResponse,
} from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

/** The service with the sandbox, whose control room injects faults. */
let setup: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  setup = await startWithSandbox()
}, 120_000)
afterAll(() => setup[Symbol.asyncDispose]())
afterEach(() => setup.sandbox.ctx.scenarios.restoreAll())

const POLL_SLOWLY = { timeout: 10_000, interval: 60 }
const ALL_FRESH = { property: 'fresh', similar: 'fresh', prices: 'fresh', brand: 'fresh' }
const ONE_NIGHT = { checkIn: dayFromNow(20), checkOut: dayFromNow(21) }

/** Hotels in Kabul that are available for that night. */
async function priced(currency = 'AFN'): Promise<Card[]> {
  const json = searchRequest({ dates: ONE_NIGHT, currency, locale: 'en' })
  const found = async () => itemsOf(await post(setup.service.url, '/search', { json }))
  await expect
    .poll(async () => (await found()).filter(isPriced).length, POLL_SLOWLY)
    .toBeGreaterThan(2)
  return (await found()).filter(isPriced)
}

const isPriced = ({ rateSnapshot }: Card) => rateSnapshot !== undefined

async function whole(propertyId: string, query: Record<string, string>): Promise<TestResponse> {
  const show = () => getHotel(setup.service.url, propertyId, { query })
  await expect.poll(async () => sectionsOf(await show()), POLL_SLOWLY).toEqual(ALL_FRESH)
  return await show()
}

const amounts = (rate: Record<string, unknown> | undefined) => ({
  nightly: rate?.['cheapestNightlyMinor'],
  total: rate?.['totalForStayMinor'],
  currency: rate?.['currency'],
})

describe('a traveller', () => {
  it.each(LOCALES)('sees the page of a hotel in %s', async (locale) => {
    const [card] = await priced()
    const response = await whole(String(card?.propertyId), { ...PREFERENCES, locale, ...ONE_NIGHT })
    expect(closedCheck(HotelPage)(response.body)).toEqual([])
    const { property, policies } = response.body as {
      property: { description: string; name: { localized: object }; address: { city: string } }
      policies: { cancellation: string }
    }
    const isArabicScript = directionOf(locale) === 'rtl'
    for (const text of [property.description, policies.cancellation, property.address.city]) {
      expect([text, /\p{Script=Arabic}/u.test(text)]).toEqual([text, isArabicScript])
      expect(text).not.toMatch(/\uFFFD/)
    }
    expect(Object.keys(property.name.localized)).toEqual(expect.arrayContaining(['ps-AF', 'fa-AF']))
    expect(response.body['similarProperties']).not.toEqual([])
  })

  it.each(['AFN', 'USD'])('finds the price that the search showed, in %s', async (currency) => {
    for (const card of (await priced(currency)).slice(0, 3)) {
      const query = { ...PREFERENCES, currency, ...ONE_NIGHT }
      const page = await whole(card.propertyId, query)
      const alone = await getHotelPrice(setup.service.url, card.propertyId, { query })
      expect(closedCheck(HotelPriceVM)(alone.body)).toEqual([])
      const shown = amounts(card.rateSnapshot)
      expect(amounts(ratesOf(page)[0])).toEqual(shown)
      const fresh = alone.body['cheapestRateSnapshot'] as Record<string, unknown>
      expect([amounts(fresh), fresh['isStale']]).toEqual([shown, false])
    }
  })

  it('sees the price of each bookable night of a week, the first equal to that of the search', async () => {
    const [card] = await priced()
    const json = searchRequest({ dates: ONE_NIGHT, occupancy: { adults: 1 }, currency: 'AFN' })
    const found = itemsOf(await post(setup.service.url, '/search', { json }))
    const single = found.find(({ propertyId }) => propertyId === card?.propertyId)
    const { body } = await whole(String(card?.propertyId), { ...PREFERENCES, ...ONE_NIGHT })
    const days = body['priceCalendarPreview'] as { date: string; cheapestMinor: number }[]
    // Nights that are sold out have no price.
    expect(days[0]?.date).toBe(dayFromNow(20))
    const week = Array.from({ length: 7 }, (_, at) => dayFromNow(20 + at))
    expect(days.filter(({ date }) => !week.includes(date))).toEqual([])
    expect(days[0]?.cheapestMinor).toBe(single?.rateSnapshot?.['cheapestNightlyMinor'])
    for (const { cheapestMinor } of days) {
      expect(cheapestMinor).toBeGreaterThan(10_000)
      expect(cheapestMinor).toBeLessThan(100_000_000)
    }
  })
})

describe('the upstreams', () => {
  it.each(['pricing', 'search', 'theme'] as const)(
    '%s down: the hotel is shown',
    async (upstream) => {
      const [card] = await priced()
      const propertyId = String(card?.propertyId)
      await setup.service.ctx.cache.invalidate(['hotel', `brand:${card?.tenantId}`])
      const { scenarios } = setup.sandbox.ctx
      await scenarios.setFault({ upstream, operation: null, fault: { kind: 'down' } })
      const response = await getHotel(setup.service.url, propertyId, { query: PREFERENCES })
      expect([response.status, response.body['degraded']]).toEqual([200, true])
      await scenarios.restoreAll()
      await whole(propertyId, PREFERENCES)
    },
  )
})

describe('a tenant', () => {
  it('suspended hides its hotel within a second, and shows it again when reactivated', async () => {
    const [, card] = await priced()
    const propertyId = String(card?.propertyId)
    const tenantId = card?.tenantId as TenantId
    await whole(propertyId, PREFERENCES)
    const status = async () => (await getHotel(setup.service.url, propertyId)).status
    await setup.tenants.suspend(tenantId)
    await expect.poll(status, { timeout: 5_000, interval: 10 }).toBe(404)
    await setup.tenants.reactivate(tenantId)
    await expect.poll(status, POLL_SLOWLY).toBe(200)
  })
})
