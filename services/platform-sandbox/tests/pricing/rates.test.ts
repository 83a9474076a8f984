import { createDatabase, sql } from '@melmastoon/chassis/db'
import {
  addDays,
  type CurrencyCode,
  idToUuid,
  microToMinor,
  newId,
  parseIsoDate,
} from '@melmastoon/domain'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import type { RatePlan } from '@melmastoon/upstream-contracts/pricing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { previewPrices } from '../../src/modules/pricing/preview-prices.ts'
import { RateBook } from '../../src/modules/pricing/rate-book.ts'
import { lockRatePlan } from '../../src/modules/pricing/rate-plan-sql.ts'
import type { WorldProperty } from '../../src/world/world.ts'
import { seedWorld } from '../search/start-search.ts'
import {
  contracts,
  drainEvents,
  rejectionOf,
  send,
  serviceHeaders,
  type TestEnvironment,
} from '../start-sandbox.ts'
import {
  ageFx,
  COUPLE,
  type Hotels,
  openHotels,
  post,
  rejectionParts,
  richHotel,
  stayIn,
  takeQuote,
} from './open-hotels.ts'

let hotels: Hotels
let hotel: WorldProperty

beforeAll(async () => {
  hotels = await openHotels()
  hotel = richHotel(hotels)
})

afterAll(async () => hotels[Symbol.asyncDispose]())

async function plan(code: string): Promise<RatePlan> {
  const { ratePlans } = await hotels
    .client()
    .listRatePlans({ query: { propertyId: hotel.propertyId } }, hotel)
  const found = ratePlans.find((one) => one.code === code)
  if (found === undefined) throw new Error(`no plan ${code}`)
  return found
}

const move = (ratePlan: RatePlan, basisPoints: number, tenantId = hotel.tenantId) =>
  post(hotels, `/pricing/rate-plans/${ratePlan.ratePlanId}/prices`, { basisPoints }, { tenantId })

async function untilWaiting(environment: TestEnvironment): Promise<void> {
  await eventually(async () => {
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if ((await environment.query(waiting)).length === 0) throw new Error('no transaction waits')
  })
}

/** The price that this process, or another one with its own cache, would show now. */
async function totalNow(book?: RateBook): Promise<bigint> {
  const body = {
    propertyIds: [hotel.propertyId],
    stay: stayIn(hotels, 20, 2),
    occupancy: COUPLE,
    currency: hotel.currency,
  }
  const { search } = hotels.sandbox.ctx.modules
  const shown = book
    ? await previewPrices({ book, stock: search }, { body }, undefined)
    : await hotels.client().preview({ body })
  return BigInt(shown.previews[0]?.totalForStay?.amountMicro ?? 0)
}

describe('rate plans', () => {
  it('are listed with prices for every room type, to their owner only', async () => {
    const { ratePlans } = await hotels
      .client()
      .listRatePlans({ query: { propertyId: hotel.propertyId } }, hotel)
    expect(ratePlans.map(({ code }) => code)).toEqual(['BAR', 'CORP', 'NRF', 'WEEK'])
    for (const { prices, currency, version, status } of ratePlans) {
      expect(prices).toHaveLength(hotel.roomTypes.length)
      expect([currency, version, status]).toEqual([hotel.currency, 1, 'published'])
    }
    const stranger = hotels
      .client()
      .listRatePlans({ query: { propertyId: hotel.propertyId } }, { tenantId: newId('tnt') })
    expect(await rejectionOf(stranger)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })
})

describe('changing prices', () => {
  it('publishes the next version with an event, visible immediately in the same process', async () => {
    const before = await plan('NRF')
    const shown = await totalNow()
    const response = await move(before, 2_000)
    const changed = response.body as RatePlan
    expect(changed).toMatchObject({ ratePlanId: before.ratePlanId, version: before.version + 1 })
    for (const [index, { nightly }] of before.prices.entries()) {
      const expected = (BigInt(nightly.amountMicro) * 12n) / 10n
      const off = BigInt(changed.prices[index]?.nightly.amountMicro ?? 0) - expected
      expect(off < 0n ? -off : off).toBeLessThanOrEqual(10_000n)
    }
    expect(await plan('NRF')).toEqual(changed)
    expect(await totalNow()).toBeGreaterThan(shown)

    const events = await drainEvents(
      hotels.environment,
      'melmastoon.pricing.rate_plan.published.v1',
    )
    expect(events.map(({ payload }) => payload)).toContainEqual({
      tenantId: hotel.tenantId,
      propertyId: hotel.propertyId,
      ratePlanId: before.ratePlanId,
      code: 'NRF',
      ratePlanVersion: changed.version,
      publishedAt: expect.any(String),
    })
    await expectValidEvents(hotels.environment.adminUrl, contracts)
  })

  it('is visible in other processes within half a second', async () => {
    const { db } = hotels.sandbox.ctx
    const elsewhere = new RateBook({ db, onError: () => undefined })
    const before = await totalNow(elsewhere)
    await move(await plan('NRF'), -1_000)
    const changed = await totalNow()
    expect(changed).toBeLessThan(before)
    await expect.poll(() => totalNow(elsewhere), { timeout: 900, interval: 20 }).toBe(changed)
  })

  it('happens once per key, and for every concurrent request', async () => {
    const weekly = await plan('WEEK')
    const path = `/pricing/rate-plans/${weekly.ratePlanId}/prices`
    const options = { ...hotel, key: 'the-same-intent-twice' }
    const first = await post(hotels, path, { basisPoints: 100 }, options)
    const second = await post(hotels, path, { basisPoints: 100 }, options)
    expect(second.text).toBe(first.text)
    expect((await plan('WEEK')).version).toBe(weekly.version + 1)
    await Promise.all(Array.from({ length: 6 }, () => move(weekly, 100)))
    expect((await plan('WEEK')).version).toBe(weekly.version + 7)
  })

  it('loses no change: each starts from the result of the previous one', async () => {
    const corporate = await plan('CORP')
    await Promise.all(Array.from({ length: 5 }, () => move(corporate, 10_000)))
    const doubled = corporate.prices.map(({ nightly }) => 32n * BigInt(nightly.amountMicro))
    const now = (await plan('CORP')).prices.map(({ nightly }) => BigInt(nightly.amountMicro))
    expect(now).toEqual(doubled)
  })

  it('control: would lose one if the locking statement also read the prices', async () => {
    await using db = createDatabase({
      url: hotels.environment.relayUrl,
      poolMax: 2,
      onError: () => undefined,
    })
    const { ratePlanId } = await plan('CORP')
    const id = idToUuid(ratePlanId)
    const locking = sql<{ nightly: string; version: number }>`
      select l.version, (select max(nightly_micro)::text from sandbox.pricing_rate
        where rate_plan_id = l.rate_plan_id) as nightly
      from sandbox.pricing_rate_plan l where l.rate_plan_id = ${id}::uuid for update of l`
    const [before] = await db.query(locking)
    const late = await db.transaction(async (tx) => {
      await tx.query(lockRatePlan(idToUuid(hotel.tenantId), id))
      const waiting = db.query(locking)
      await untilWaiting(hotels.environment)
      await tx.query(sql`update sandbox.pricing_rate set nightly_micro = nightly_micro * 2
        where rate_plan_id = ${id}::uuid`)
      await tx.query(sql`update sandbox.pricing_rate_plan set version = version + 1
        where rate_plan_id = ${id}::uuid`)
      return { waiting }
    })
    const [seen] = await late.waiting
    expect(seen?.version).toBe((before?.version ?? 0) + 1)
    expect(seen?.nightly).toBe(before?.nightly)
  })

  it('is rejected for plans of other tenants and for prices out of range', async () => {
    const bar = await plan('BAR')
    expect(rejectionParts(await move(bar, 100, newId('tnt')))).toEqual([404, 'RATE_PLAN_NOT_FOUND'])
    await hotels.environment.query(
      'update sandbox.pricing_rate set nightly_micro = 20000 where rate_plan_id = $1',
      [idToUuid(bar.ratePlanId)],
    )
    expect(rejectionParts(await move(bar, -9_000))).toEqual([
      400,
      'VALIDATION_FAILED',
      '/basisPoints range',
    ])
    expect((await plan('BAR')).version).toBe(bar.version)
  })
})

describe('seeding', () => {
  it('is idempotent: nothing is added and changed prices stay', async () => {
    const tables = ['property', 'rate_plan', 'rate', 'rule_set', 'promotion', 'fx_snapshot']
    const counts = () =>
      Promise.all(tables.map((table) => hotels.environment.countRows(`pricing_${table}`)))
    const [before, weekly] = [await counts(), await plan('WEEK')]
    await seedWorld(hotels.environment, hotels.world)
    expect(await counts()).toEqual(before)
    expect(await plan('WEEK')).toEqual(weekly)
    expect(before[0]).toBe(hotels.world.properties.length)
  })
})

describe('for search', () => {
  it('the lowest published price and exchange rates of any age', async () => {
    const { pricing } = hotels.sandbox.ctx.modules
    const cheapest = await pricing.readCheapest(hotel.propertyId)
    const plans = await pricing.ratePlansOf(hotel.tenantId, hotel.propertyId)
    const open = plans.filter(({ category }) => category !== 'corporate')
    const prices = open.flatMap((one) =>
      one.prices.map(({ nightly }) => BigInt(nightly.amountMicro)),
    )
    expect(cheapest).toEqual({
      amountMicro: prices.reduce((a, b) => (b < a ? b : a)),
      currency: hotel.currency,
    })
    expect(await pricing.readCheapest(newId('ppt'))).toBeNull()
    expect((await pricing.readFxRates()).USD).toBe(1_000_000n)
  })
})

const preview = (more: object = {}, scenario?: string) =>
  hotels.client(scenario).preview({
    body: {
      propertyIds: hotels.world.properties.slice(0, 50).map(({ propertyId }) => propertyId),
      stay: stayIn(hotels, 20, 2),
      occupancy: COUPLE,
      currency: 'USD' as CurrencyCode,
      ...more,
    },
  })

describe('a preview', () => {
  it('prices fifty hotels in one call, in the requested order', async () => {
    const { previews, capturedAt, validUntil } = await preview()
    const requested = hotels.world.properties.slice(0, 50).map(({ propertyId }) => propertyId)
    expect(previews.map(({ propertyId }) => propertyId)).toEqual(requested)
    expect(previews.every(({ status }) => status === 'priced')).toBe(true)
    expect(Date.parse(validUntil) - Date.parse(capturedAt)).toBe(60_000)
    for (const { totalForStay, cheapestNightly } of previews) {
      expect(totalForStay?.currency).toBe('USD')
      const nightly = microToMinor(cheapestNightly?.amountMicro ?? 'x', 'USD').amountMinor
      const total = microToMinor(totalForStay?.amountMicro ?? 'x', 'USD').amountMinor
      expect(total).toBeGreaterThanOrEqual(nightly * 2 - 2)
    }
  })

  it('equals the total of a quote for the same plan and room', async () => {
    const some = fc.record({
      hotel: fc.constantFrom(...hotels.world.properties),
      days: fc.integer({ min: 0, max: 300 }),
      nights: fc.integer({ min: 1, max: 12 }),
      adults: fc.integer({ min: 1, max: 4 }),
      childrenAges: fc.array(fc.nat(17), { maxLength: 2 }),
      rooms: fc.integer({ min: 1, max: 2 }),
      currency: fc.constantFrom<CurrencyCode>('AFN', 'USD', 'EUR', 'IRR', 'PKR', 'AED', 'GBP'),
    })
    const check = fc.asyncProperty(some, async (requested) => {
      const { hotel, currency, adults, childrenAges, rooms } = requested
      const stay = stayIn(hotels, requested.days + 1, requested.nights)
      const occupancy = { adults, children: childrenAges.length, rooms, childrenAges }
      const propertyIds = [hotel.propertyId]
      const [shown] = (await preview({ propertyIds, stay, occupancy, currency })).previews
      if (shown?.status !== 'priced') return
      const quote = await takeQuote(hotels, hotel, {
        stay,
        occupancy,
        ratePlanCode: shown.ratePlanCode,
        rooms: [{ roomTypeId: shown.roomTypeId, quantity: rooms }],
        displayCurrency: currency,
      })
      expect(shown.totalForStay).toEqual(quote.displayTotal ?? quote.total)
    })
    await fc.assert(check, { numRuns: 60 })
  })

  it('shows the requested currency, otherwise that of the hotel, with the reason', async () => {
    const one = async (currency: CurrencyCode, scenario?: string) => {
      const { previews } = await preview({ propertyIds: [hotel.propertyId], currency }, scenario)
      return previews[0]
    }
    expect(await one('AFN')).toMatchObject({ currencyDisplayPolicy: 'user-preferred' })
    expect(await one('AFN')).not.toHaveProperty('fxSnapshotId')
    expect(await one('EUR')).toMatchObject({
      currencyDisplayPolicy: 'user-preferred',
      totalForStay: { currency: 'EUR' },
      fxStale: false,
    })
    expect(await one('EUR', 'fx-stale')).toMatchObject({ fxStale: true })
    expect(await one('EUR', 'fx-expired')).toMatchObject({
      currencyDisplayPolicy: 'tenant',
      totalForStay: { currency: 'AFN' },
    })
    expect(await one('EUR', 'no-rate')).toEqual({
      propertyId: hotel.propertyId,
      status: 'unavailable',
      reason: 'no_rate',
    })
  })

  it('omits what cannot be sold: unknown hotels, too many guests, past nights', async () => {
    const unknown = newId('ppt')
    const { previews } = await preview({ propertyIds: [unknown] })
    expect(previews).toEqual([{ propertyId: unknown, status: 'unavailable', reason: 'closed' }])
    const crowd = await preview({ occupancy: { adults: 30, children: 0, rooms: 1 } })
    expect(new Set(crowd.previews.map(({ reason }) => reason))).toEqual(
      new Set(['party_too_large']),
    )
    const propertyIds = [hotel.propertyId]
    const over = await preview({ propertyIds, stay: stayIn(hotels, -1, 2) })
    expect(over.previews[0]).toMatchObject({ status: 'unavailable', reason: 'closed' })
  })

  it('rejects invalid dates', async () => {
    const stay = { checkIn: hotels.today, checkOut: hotels.today }
    expect(await rejectionOf(preview({ stay }))).toBe('MELMASTOON.PRICING.STAY_INVALID')
    const occupancy = { ...COUPLE, children: 1, childrenAges: [] }
    expect(await rejectionOf(preview({ occupancy }))).toBe('MELMASTOON.PRICING.STAY_INVALID')
  })
})

describe('a calendar', () => {
  it('has the cheapest price of each future day and none of past days', async () => {
    const from = addDays(hotels.today, -2)
    const { days, ...rest } = await hotels.client().calendar({
      params: hotel,
      query: { from, nights: 62, currency: 'AFN' },
    })
    expect(rest.propertyId).toBe(hotel.propertyId)
    expect(days).toHaveLength(62)
    expect(days[0]).toEqual({ date: from })
    const day = addDays(hotels.today, 20)
    const { previews } = await preview({
      propertyIds: [hotel.propertyId],
      stay: stayIn(hotels, 20, 1),
      occupancy: { adults: 1, children: 0, rooms: 1 },
      currency: 'AFN',
    })
    expect(days.find(({ date }) => date === day)?.cheapest).toEqual(previews[0]?.cheapestNightly)
  })

  it('rejects unknown hotels and invalid days', async () => {
    const query = { from: hotels.today, nights: 3, currency: 'USD' as const }
    const { calendar } = hotels.client()
    expect(await rejectionOf(calendar({ params: { propertyId: newId('ppt') }, query }))).toBe(
      'MELMASTOON.PROPERTY.NOT_FOUND',
    )
    const from = '2027-02-30' as typeof hotels.today
    const params = hotel
    expect(await rejectionOf(calendar({ params, query: { ...query, from } }))).toBe(
      'MELMASTOON.PRICING.STAY_INVALID',
    )
    const path = `/upstreams/pricing/api/v1/pricing/properties/${hotel.propertyId}/calendar`
    for (const nights of ['1e400', 'Infinity', 'NaN', '63', '0', '1.5', '']) {
      const requested = `${path}?from=${hotels.today}&nights=${nights}&currency=USD`
      const response = await send(hotels.sandbox.url, 'GET', requested, {
        headers: serviceHeaders(),
      })
      expect([nights, response.status]).toEqual([nights, 400])
    }
    const last = parseIsoDate('9999-12-31')
    expect(await rejectionOf(calendar({ params, query: { ...query, from: last } }))).toBe(
      'MELMASTOON.PRICING.STAY_INVALID',
    )
  })
})

describe('the cheapest rates of a hotel', () => {
  it('are listed for every public plan on request, with terms and the digest of their quotes', async () => {
    const { propertyId, currency } = hotel
    const stay = stayIn(hotels, 20, 2)
    const body = { propertyId, stay, occupancy: COUPLE, currency, plans: 'all' as const }
    const { rates } = await hotels.client().cheapestRates({ body }, hotel)
    const [room] = hotel.roomTypes
    const ofRoom = rates.filter(({ roomTypeId }) => roomTypeId === room?.roomTypeId)
    expect(ofRoom.map(({ ratePlanCode }) => ratePlanCode).toSorted()).toEqual(['BAR', 'NRF'])
    const totals = ofRoom.map(({ total }) => Number(total.amountMicro))
    expect(totals).toEqual(totals.toSorted((a, b) => a - b))
    const fixed = ofRoom.find(({ ratePlanCode }) => ratePlanCode === 'NRF')
    expect(fixed).toMatchObject({ board: 'room_only', cancellation: { kind: 'none' } })
    for (const { roomTypeId, ratePlanCode, digest, total } of ofRoom) {
      const rooms = [{ roomTypeId, quantity: 1 }]
      const quote = await takeQuote(hotels, hotel, { rooms, stay, ratePlanCode })
      expect([quote.digest, quote.total]).toEqual([digest, total])
    }
  })

  it('are one per room type that is large enough, the lowest equal to the preview', async () => {
    const body = {
      ...hotel,
      stay: stayIn(hotels, 20, 2),
      occupancy: COUPLE,
      currency: 'USD' as const,
    }
    const { propertyId, stay, occupancy, currency } = body
    const requested = { propertyId, stay, occupancy, currency }
    const { rates, fxSnapshotId } = await hotels.client().cheapestRates({ body: requested }, hotel)
    expect(rates.map(({ roomTypeId }) => roomTypeId).toSorted()).toEqual(
      hotel.roomTypes.map(({ roomTypeId }) => roomTypeId).toSorted(),
    )
    expect(fxSnapshotId).toMatch(/^fxs_/)
    const { previews } = await preview({ propertyIds: [propertyId] })
    const lowest = rates.toSorted(
      (a, b) => Number(a.total.amountMicro) - Number(b.total.amountMicro),
    )
    expect(lowest[0]).toMatchObject({
      total: previews[0]?.totalForStay,
      nightly: previews[0]?.cheapestNightly,
      ratePlanCode: previews[0]?.ratePlanCode,
    })
    const addError = (more: object, tenantId = hotel.tenantId) =>
      rejectionOf(hotels.client().cheapestRates({ body: { ...requested, ...more } }, { tenantId }))
    expect(await addError({}, newId('tnt'))).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
    expect(await addError({ stay: stayIn(hotels, -1, 2) })).toBe('MELMASTOON.PRICING.STAY_INVALID')
  })
})

describe('exchange rates', () => {
  it('are marked stale after a day, unused after three, and renewed by the job', async () => {
    const client = hotels.client()
    const fresh = await client.latestFx({})
    expect(fresh).toMatchObject({ base: 'USD', stale: false })
    expect(Object.keys(fresh.rates).toSorted()).toHaveLength(7)
    expect(Date.parse(fresh.hardExpireAt) - Date.parse(fresh.takenAt)).toBe(72 * 3_600_000)
    const propertyIds = [hotel.propertyId]
    const policy = async () => (await preview({ propertyIds })).previews[0]

    await ageFx(hotels, 25)
    await expect.poll(policy, { timeout: 3_000 }).toMatchObject({ fxStale: true })
    await ageFx(hotels, 48)
    await expect
      .poll(policy, { timeout: 3_000 })
      .toMatchObject({ currencyDisplayPolicy: 'tenant', totalForStay: { currency: 'AFN' } })
    const requested = takeQuote(hotels, hotel, { displayCurrency: 'USD' })
    await expect(requested).rejects.toThrow('FX_SNAPSHOT_STALE')

    const refreshed = await fetch(
      new URL('/internal/jobs/refresh-fx', hotels.sandbox.internalUrl),
      {
        method: 'POST',
        headers: { 'x-internal-secret': hotels.environment.env['INTERNAL_SECRET'] ?? '' },
      },
    )
    expect(await refreshed.json()).toMatchObject({ outcome: 'done', summary: { refreshed: true } })
    await expect.poll(policy, { timeout: 3_000 }).toMatchObject({ fxStale: false })
  })
})
