import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mint } from '../harness/handoff-client.ts'
import { getPath } from '../harness/hotel-client.ts'
import { createGuest, dayFromNow } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'
import { type Audit, auditSearch, expectHolds, findCities, noCounts, searchFor } from './audit.ts'
import { openPlatform } from './platform.ts'
import { choicesOf, randomNumbers } from './random-search.ts'

/** The short form of `shown-prices.faults.test.ts`. */
const SEARCHES = 12

let setup: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  setup = await startWithSandbox()
}, 120_000)
afterAll(() => setup[Symbol.asyncDispose]())

async function openAudit(seed: number): Promise<Audit> {
  const { url } = setup.service
  return {
    url,
    cookie: (await createGuest(url)).cookie,
    platform: openPlatform(setup.sandbox.url),
    choose: choicesOf(randomNumbers(seed)),
    cities: await findCities(url),
    quotesPerSearch: 3,
  }
}

it('C17 C18 C23 random searches: every price is a quote, every bookable offer can be held', async () => {
  const audit = await openAudit(11)
  const counts = noCounts()
  const offers = []
  for (let turn = 0; turn < SEARCHES; turn += 1) offers.push(await auditSearch(audit, counts))
  await expectHolds(audit, offers.flat().slice(0, 60), counts)
  for (const [name, count] of Object.entries(counts))
    expect([name, count > 0]).toEqual([name, true])
}, 60_000)

it('C17 C18 C23 a hotel with a minimum age rejects a child on every route', async () => {
  const { url, cookie, cities } = await openAudit(11)
  const child = { adults: 2, children: 1, rooms: 1, childrenAges: [4] }
  const dates = { checkIn: dayFromNow(30), checkOut: dayFromNow(31) }
  const hostels = { propertyType: ['hostel'] }
  const find = async (city: string, filters: object = hostels) =>
    await searchFor(url, { geo: { mode: 'city', city }, dates, occupancy: child, filters })
  const pages = await Promise.all(cities.map((city) => find(city)))
  const at = pages.findIndex(({ items }) => items.length > 0)
  const { items: [card] = [], bookableTotal } = pages[at] ?? {}
  if (card === undefined) throw new Error('no hostel has rooms left')
  const rejected = { bookable: false, reason: 'party_not_accepted' }
  expect([card.availability, card.rateSnapshot, bookableTotal]).toEqual([rejected, undefined, 0])
  const available = await find(cities[at] ?? '', { ...hostels, availableOnly: true })
  expect(available.total).toBe(0)
  const path = `/hotels/${card.propertyId}`
  const party = { adults: '2', children: '1', childrenAges: '4' }
  const query = { locale: 'en', currency: 'USD', ...party }
  const offers = await getPath(url, `${path}/offers`, { query: { ...query, ...dates } })
  expect(offers.body['availability']).toEqual(rejected)
  const calendar = await getPath(url, `${path}/calendar`, {
    query: { ...query, from: dates.checkIn },
  })
  const days = calendar.body['days'] as { availability: object }[]
  expect(days.every(({ availability }) => isDeepStrictEqual(availability, rejected))).toBe(true)
  const json = { dates, occupancy: child, currency: 'USD' }
  const link = await mint(url, cookie, card, { json })
  expect([link.status, link.body['errors']]).toMatchObject([
    409,
    [{ pointer: '/occupancy', code: 'party_not_accepted' }],
  ])
})

it('control: a price that differs by one minor unit, and an offer that cannot be held, are found', async () => {
  const audit = await openAudit(11)
  const { platform } = audit
  const quote: typeof platform.quote = async (offer) => {
    const quoted = await platform.quote(offer)
    if (typeof quoted === 'string') return quoted
    const { amountMicro, currency } = quoted.displayTotal ?? quoted.total
    const more = String(BigInt(amountMicro) + 10_000n)
    return { ...quoted, displayTotal: { amountMicro: more, currency } }
  }
  const priced = { ...audit, platform: { ...platform, quote } }
  await expect(auditUntilFailure(priced)).rejects.toThrow('to deeply equal')
  const offers = await auditSearch(audit, noCounts())
  const soldOut = { platform: { ...platform, canHold: async () => false } }
  await expect(expectHolds(soldOut, offers, noCounts())).rejects.toThrow('to deeply equal')
}, 60_000)

async function auditUntilFailure(audit: Audit): Promise<void> {
  for (let turn = 0; turn < SEARCHES; turn += 1) await auditSearch(audit, noCounts())
}
