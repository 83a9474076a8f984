import { CURRENCY_CODES, type CurrencyCode, type TenantId } from '@melmastoon/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SearchPage } from '../../src/search/search-schema.ts'
import { closedCheck } from '../harness/closed-schema.ts'
import { meetOwner } from '../harness/session-client.ts'
import {
  aSearch,
  type Card,
  dayFromNow,
  itemsOf,
  post,
  pricesOf,
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
afterEach(async () => {
  await environment.sandbox.ctx.scenarios.restoreAll()
  await allWell()
})

const PATIENTLY = { timeout: 10_000, interval: 60 }
/** Twice the budget, for busy machines; who waits for an upstream without one waits far longer. */
const IN_TIME_MS = 5_000
const ALL_FRESH = { listings: 'fresh', prices: 'fresh', brands: 'fresh' }

/** Every breaker that a test opened is closed again for the next one. */
async function allWell() {
  await expect.poll(async () => sectionsOf(await search(fresh())), PATIENTLY).toEqual(ALL_FRESH)
}

const search = (json: unknown) => post(environment.service.url, '/search', { json })
let asked = 0
const fresh = (over: Record<string, unknown> = {}) => {
  asked += 1
  const from = 20 + (asked % 300)
  return aSearch({
    dates: { checkIn: dayFromNow(from), checkOut: dayFromNow(from + 2) },
    ...over,
  })
}

type Fault = Parameters<typeof environment.sandbox.ctx.scenarios.setFault>[0]

const breakDown = (upstream: Fault['upstream'], fault: Fault['fault']) =>
  environment.sandbox.ctx.scenarios.setFault({ upstream, operation: null, fault })
const priced = (answer: TestResponse) =>
  pricesOf(answer).filter((rate) => rate !== undefined).length

describe('a traveller', () => {
  it('finds hotels with prices and brands in Kabul, in the requested language', async () => {
    const question = fresh({ locale: 'ps-AF', currency: 'USD' })
    const answer = await search(question)
    expect(answer.status).toBe(200)
    expect(closedCheck(SearchPage)(answer.body)).toEqual([])
    expect(sectionsOf(answer)).toEqual(ALL_FRESH)
    const items = itemsOf(answer)
    expect(items.length).toBeGreaterThan(3)
    expect(priced(answer)).toBeGreaterThan(items.length / 2)
    for (const card of items) {
      expect(card['country']).toBe('AF')
      expect(card['brandPeek']).toMatchObject({ primaryColor: expect.stringMatching(/^#/) })
    }
    const shown = pricesOf(answer).filter((rate) => rate !== undefined)
    expect(shown.map((rate) => [rate['currency'], rate['isStale']])).toEqual(
      shown.map(() => ['USD', false]),
    )
    expect((await search(question)).headers.get('x-cache')).toBe('HIT')
  })

  it('C10 sees the same price in each currency', async () => {
    const guest = await meetOwner(environment.service.url)
    const question = fresh()
    const shown = new Map<CurrencyCode, Map<string, number>>()
    for (const currency of CURRENCY_CODES) {
      expect((await guest.set('currency', { currency })).status).toBe(200)
      const answer = await guest.search(question)
      const cards = itemsOf(answer).filter(({ rateSnapshot }) => rateSnapshot !== undefined)
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
    const question = fresh({ pageSize: 4, sortKey: 'price-asc' })
    let cursor: unknown
    do {
      const page = await search({ ...question, ...(cursor !== undefined && { cursor }) })
      for (const { propertyId } of itemsOf(page)) seen.add(propertyId)
      cursor = page.body['nextCursor']
    } while (cursor !== undefined)
    expect(seen.size).toBe((await search(question)).body['total'])
  })
})

describe('the upstreams', () => {
  it('pricing down: cards without prices in time; recovered: prices are back', async () => {
    await breakDown('pricing', { kind: 'down' })
    const question = fresh()
    const answer = await search(question)
    expect([answer.status, priced(answer)]).toEqual([200, 0])
    expect(answer.durationMs).toBeLessThan(IN_TIME_MS)
    expect(sectionsOf(answer)).toEqual({ ...ALL_FRESH, prices: 'missing' })
    await environment.sandbox.ctx.scenarios.restoreAll()
    await expect.poll(async () => priced(await search(question)), PATIENTLY).toBeGreaterThan(0)
  })

  it('pricing three seconds slow: the page is in its budget', async () => {
    await breakDown('pricing', { kind: 'slow', delayMs: 3_000 })
    const answer = await search(fresh())
    expect([answer.status, priced(answer)]).toEqual([200, 0])
    expect(answer.durationMs).toBeLessThan(IN_TIME_MS)
  })

  it('pricing violating its contract: no prices, and it is counted', async () => {
    await breakDown('pricing', { kind: 'lying' })
    expect(priced(await search(fresh()))).toBe(0)
    const metrics = await (await fetch(`${environment.service.internalUrl}/metrics`)).text()
    expect(metrics).toMatch(
      /bff_consumer_upstream_contract_drift_total\{upstream="pricing".*\} [1-9]/,
    )
  })

  it('theme down: brands are cached or neutral, the rest is complete', async () => {
    await breakDown('theme', { kind: 'down' })
    const answer = await search(fresh({ geo: { mode: 'city', city: 'bamyan' } }))
    expect(answer.status).toBe(200)
    expect(itemsOf(answer).every((card) => card['brandPeek'] !== undefined)).toBe(true)
  })

  it('search down: cached pages are served, others are an error with a code', async () => {
    const known = fresh()
    await search(known)
    await breakDown('search', { kind: 'down' })
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
    const question = fresh()
    const tenantId = itemsOf(await search(question))[0]?.tenantId as TenantId
    const isShown = async () =>
      itemsOf(await search(question)).some((card) => card.tenantId === tenantId)
    expect(await isShown()).toBe(true)
    await environment.tenants.suspend(tenantId)
    // A second on a quiet machine.
    await expect.poll(isShown, { timeout: 5_000, interval: 10 }).toBe(false)
    await environment.tenants.reactivate(tenantId)
    await expect.poll(isShown, PATIENTLY).toBe(true)
  })
})
