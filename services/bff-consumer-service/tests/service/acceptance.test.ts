import { CURRENCY_CODES, type CurrencyCode, type TenantId } from '@melmastoon/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SearchPage } from '../../src/search/search-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { startSessionClient } from '../harness/session-client.ts'
import {
  type Card,
  dayFromNow,
  itemsOf,
  post,
  pricesOf,
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
afterEach(async () => {
  await setup.sandbox.ctx.scenarios.restoreAll()
  await allNormal()
})

const POLL_SLOWLY = { timeout: 10_000, interval: 60 }
/** Twice the budget, for busy machines; without a budget a request would wait far longer. */
const IN_TIME_MS = 5_000
const ALL_FRESH = { listings: 'fresh', prices: 'fresh', brands: 'fresh' }

/** Closes every breaker that a test opened before the next one. */
async function allNormal() {
  await expect.poll(async () => sectionsOf(await search(fresh())), POLL_SLOWLY).toEqual(ALL_FRESH)
}

const search = (json: unknown) => post(setup.service.url, '/search', { json })
let requestNumber = 0
const fresh = (over: Record<string, unknown> = {}) => {
  requestNumber += 1
  const from = 20 + (requestNumber % 300)
  return searchRequest({
    dates: { checkIn: dayFromNow(from), checkOut: dayFromNow(from + 2) },
    ...over,
  })
}

type Fault = Parameters<typeof setup.sandbox.ctx.scenarios.setFault>[0]

const injectFault = (upstream: Fault['upstream'], fault: Fault['fault']) =>
  setup.sandbox.ctx.scenarios.setFault({ upstream, operation: null, fault })
const priced = (response: TestResponse) =>
  pricesOf(response).filter((rate) => rate !== undefined).length

describe('a traveller', () => {
  it('finds hotels with prices and brands in Kabul, in the requested language', async () => {
    const request = fresh({ locale: 'ps-AF', currency: 'USD' })
    const response = await search(request)
    expect(response.status).toBe(200)
    expect(closedCheck(SearchPage)(response.body)).toEqual([])
    expect(sectionsOf(response)).toEqual(ALL_FRESH)
    const items = itemsOf(response)
    expect(items.length).toBeGreaterThan(3)
    expect(priced(response)).toBeGreaterThan(items.length / 2)
    for (const card of items) {
      expect(card['country']).toBe('AF')
      expect(card['brandPeek']).toMatchObject({ primaryColor: expect.stringMatching(/^#/) })
    }
    const shown = pricesOf(response).filter((rate) => rate !== undefined)
    expect(shown.map((rate) => [rate['currency'], rate['isStale']])).toEqual(
      shown.map(() => ['USD', false]),
    )
    expect((await search(request)).headers.get('x-cache')).toBe('HIT')
  })

  it('C10 sees the same price in each currency', async () => {
    const guest = await startSessionClient(setup.service.url)
    const request = fresh()
    const shown = new Map<CurrencyCode, Map<string, number>>()
    for (const currency of CURRENCY_CODES) {
      expect((await guest.change('currency', { currency })).status).toBe(200)
      const response = await guest.search(request)
      const cards = itemsOf(response).filter(({ rateSnapshot }) => rateSnapshot !== undefined)
      expect(cards.length).toBeGreaterThan(3)
      for (const { rateSnapshot: rate } of cards) {
        expect(rate).toMatchObject({ currency, currencyDisplayPolicy: 'user-preferred' })
      }
      const amount = (card: Card) => Number(card.rateSnapshot?.['totalForStayMinor'])
      shown.set(currency, new Map(cards.map((card) => [card.propertyId, amount(card)])))
    }
    for (const [propertyId, afghanis] of shown.get('AFN') ?? []) {
      const amounts = CURRENCY_CODES.map((currency) => shown.get(currency)?.get(propertyId))
      expect(amounts.every((amount) => Number.isSafeInteger(amount))).toBe(true)
      expect(new Set(amounts).size).toBe(CURRENCY_CODES.length)
      const dollars = shown.get('USD')?.get(propertyId) ?? 0
      expect(afghanis / dollars).toBeGreaterThan(20)
    }
  })

  it('finds the same city by any of its names, and all of its pages', async () => {
    const byKey = await search(fresh())
    const byName = await search(fresh({ geo: { mode: 'city', city: 'کابل' } }))
    expect(byName.body['total']).toBe(byKey.body['total'])
    const seen = new Set<string>()
    const request = fresh({ pageSize: 4, sortKey: 'price-asc' })
    let cursor: unknown
    do {
      const page = await search({ ...request, ...(cursor !== undefined && { cursor }) })
      for (const { propertyId } of itemsOf(page)) seen.add(propertyId)
      cursor = page.body['nextCursor']
    } while (cursor !== undefined)
    expect(seen.size).toBe((await search(request)).body['total'])
  })
})

describe('the upstreams', () => {
  it('pricing down: cards without prices in time; recovered: prices are back', async () => {
    await injectFault('pricing', { kind: 'down' })
    const request = fresh()
    const response = await search(request)
    expect([response.status, priced(response)]).toEqual([200, 0])
    expect(response.durationMs).toBeLessThan(IN_TIME_MS)
    expect(sectionsOf(response)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    await setup.sandbox.ctx.scenarios.restoreAll()
    await expect.poll(async () => priced(await search(request)), POLL_SLOWLY).toBeGreaterThan(0)
  })

  it('pricing three seconds slow: the page is returned within its budget', async () => {
    await injectFault('pricing', { kind: 'slow', delayMs: 3_000 })
    const response = await search(fresh())
    expect([response.status, priced(response)]).toEqual([200, 0])
    expect(response.durationMs).toBeLessThan(IN_TIME_MS)
  })

  it('pricing violating its contract: no prices, and it is counted', async () => {
    await injectFault('pricing', { kind: 'lying' })
    expect(priced(await search(fresh()))).toBe(0)
    const metrics = await (await fetch(`${setup.service.internalUrl}/metrics`)).text()
    expect(metrics).toMatch(
      /bff_consumer_upstream_contract_drift_total\{upstream="pricing".*\} [1-9]/,
    )
  })

  it('theme down: brands are cached or neutral, the rest is complete', async () => {
    await injectFault('theme', { kind: 'down' })
    const response = await search(fresh({ geo: { mode: 'city', city: 'bamyan' } }))
    expect(response.status).toBe(200)
    expect(itemsOf(response).every((card) => card['brandPeek'] !== undefined)).toBe(true)
  })

  it('search down: cached pages are served, others are an error with a code', async () => {
    const known = fresh()
    await search(known)
    await injectFault('search', { kind: 'down' })
    expect((await search(known)).status).toBe(200)
    const unknown = await search(fresh())
    expect([unknown.status, unknown.body['code']]).toEqual([
      503,
      'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE',
    ])
  })
})

describe('a tenant', () => {
  it('suspended disappears within a second, and is back when reactivated', async () => {
    const request = fresh()
    const tenantId = itemsOf(await search(request))[0]?.tenantId as TenantId
    const isShown = async () =>
      itemsOf(await search(request)).some((card) => card.tenantId === tenantId)
    expect(await isShown()).toBe(true)
    await setup.tenants.suspend(tenantId)
    // Takes about a second on an idle machine.
    await expect.poll(isShown, { timeout: 5_000, interval: 10 }).toBe(false)
    await setup.tenants.reactivate(tenantId)
    await expect.poll(isShown, POLL_SLOWLY).toBe(true)
  })
})
