import { directionOf, LOCALES, type TenantId } from '@melmastoon/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HotelPage, HotelPriceVM } from '../../src/hotels/hotel-detail.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { askHotel, askPrice, ratesOf, SAID } from '../harness/hotel-client.ts'
import {
  aSearch,
  type Card,
  dayFromNow,
  itemsOf,
  post,
  sectionsOf,
  type TestResponse,
} from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

/** The service beside the real upstreams, which break and mend as the control room does it. */
let environment: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  environment = await startWithSandbox()
}, 120_000)
afterAll(() => environment[Symbol.asyncDispose]())
afterEach(() => environment.sandbox.ctx.scenarios.restoreAll())

const PATIENTLY = { timeout: 10_000, interval: 60 }
const ALL_FRESH = { property: 'fresh', similar: 'fresh', prices: 'fresh', brand: 'fresh' }
const ONE_NIGHT = { checkIn: dayFromNow(20), checkOut: dayFromNow(21) }

/** Hotels of Kabul that can be had for that night. */
async function priced(currency = 'AFN'): Promise<Card[]> {
  const json = aSearch({ dates: ONE_NIGHT, currency, locale: 'en' })
  const found = async () => itemsOf(await post(environment.service.url, '/search', { json }))
  await expect
    .poll(async () => (await found()).filter(isPriced).length, PATIENTLY)
    .toBeGreaterThan(2)
  return (await found()).filter(isPriced)
}

const isPriced = ({ rateSnapshot }: Card) => rateSnapshot !== undefined

async function whole(propertyId: string, query: Record<string, string>): Promise<TestResponse> {
  const show = () => askHotel(environment.service.url, propertyId, { query })
  await expect.poll(async () => sectionsOf(await show()), PATIENTLY).toEqual(ALL_FRESH)
  return await show()
}

const amounts = (rate: Record<string, unknown> | undefined) => ({
  nightly: rate?.['cheapestNightlyMinor'],
  total: rate?.['totalForStayMinor'],
  currency: rate?.['currency'],
})

describe('a traveller', () => {
  it.each(LOCALES)('reads of a hotel in %s', async (locale) => {
    const [card] = await priced()
    const answer = await whole(String(card?.propertyId), { ...SAID, locale, ...ONE_NIGHT })
    expect(closedCheck(HotelPage)(answer.body)).toEqual([])
    const { property, policies } = answer.body as {
      property: { description: string; name: { localized: object }; address: { city: string } }
      policies: { cancellation: string }
    }
    const isArabicScript = directionOf(locale) === 'rtl'
    for (const text of [property.description, policies.cancellation, property.address.city]) {
      expect([text, /\p{Script=Arabic}/u.test(text)]).toEqual([text, isArabicScript])
      expect(text).not.toMatch(/\uFFFD/)
    }
    expect(Object.keys(property.name.localized)).toEqual(expect.arrayContaining(['ps-AF', 'fa-AF']))
    expect(answer.body['similarProperties']).not.toEqual([])
  })

  it.each(['AFN', 'USD'])('finds the price that the search showed, in %s', async (currency) => {
    for (const card of (await priced(currency)).slice(0, 3)) {
      const query = { ...SAID, currency, ...ONE_NIGHT }
      const page = await whole(card.propertyId, query)
      const alone = await askPrice(environment.service.url, card.propertyId, { query })
      expect(closedCheck(HotelPriceVM)(alone.body)).toEqual([])
      const shown = amounts(card.rateSnapshot)
      expect(amounts(ratesOf(page)[0])).toEqual(shown)
      const fresh = alone.body['cheapestRateSnapshot'] as Record<string, unknown>
      expect([amounts(fresh), fresh['isStale']]).toEqual([shown, false])
    }
  })

  it('sees the price of each of seven days, the first equal to that of the search', async () => {
    const [card] = await priced()
    const json = aSearch({ dates: ONE_NIGHT, occupancy: { adults: 1 }, currency: 'AFN' })
    const found = itemsOf(await post(environment.service.url, '/search', { json }))
    const single = found.find(({ propertyId }) => propertyId === card?.propertyId)
    const { body } = await whole(String(card?.propertyId), { ...SAID, ...ONE_NIGHT })
    const days = body['priceCalendarPreview'] as { date: string; cheapestMinor: number }[]
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 7 }, (_, at) => dayFromNow(20 + at)),
    )
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
      await environment.service.ctx.cache.invalidate(['hotel', `brand:${card?.tenantId}`])
      const { scenarios } = environment.sandbox.ctx
      await scenarios.setFault({ upstream, operation: null, fault: { kind: 'down' } })
      const answer = await askHotel(environment.service.url, propertyId, { query: SAID })
      expect([answer.status, answer.body['degraded']]).toEqual([200, true])
      await scenarios.restoreAll()
      await whole(propertyId, SAID)
    },
  )
})

describe('a tenant', () => {
  it('suspended hides its hotel within a second, and shows it again when reactivated', async () => {
    const [, card] = await priced()
    const propertyId = String(card?.propertyId)
    const tenantId = card?.tenantId as TenantId
    await whole(propertyId, SAID)
    const status = async () => (await askHotel(environment.service.url, propertyId)).status
    await environment.tenants.suspend(tenantId)
    await expect.poll(status, { timeout: 5_000, interval: 10 }).toBe(404)
    await environment.tenants.reactivate(tenantId)
    await expect.poll(status, PATIENTLY).toBe(200)
  })
})
