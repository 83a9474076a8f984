import { randomUUID } from 'node:crypto'
import { createDatabase } from '@melmastoon/chassis/db'
import { addDays, idToUuid, newId } from '@melmastoon/domain'
import { latch } from '@melmastoon/testkit'
import type { Quote } from '@melmastoon/upstream-contracts/pricing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertRedemption } from '../../src/modules/pricing/promotion-sql.ts'
import type { WorldProperty } from '../../src/world/world.ts'
import { rejectionOf } from '../start-sandbox.ts'
import {
  COUPLE,
  endQuote,
  type Hotels,
  LONG_AGO,
  openHotels,
  post,
  quoteBody,
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

const quote = (more: object = {}, options: { key?: string; scenario?: string } = {}) =>
  post(hotels, '/pricing/quotes', quoteBody(hotels, hotel, more), { ...hotel, ...options })

const rejected = async (more: object, scenario?: string) =>
  rejectionParts(await quote(more, scenario === undefined ? {} : { scenario }))

describe('a quote', () => {
  it('is valid for half an hour, is the sum of its lines and names its plan and version', async () => {
    const given = await takeQuote(hotels, hotel)
    expect(Date.parse(given.expiresAt) - Date.parse(given.createdAt)).toBe(30 * 60_000)
    expect(given).toMatchObject({
      tenantId: hotel.tenantId,
      propertyId: hotel.propertyId,
      ratePlanCode: 'NRF',
      ratePlanVersion: 1,
      total: { currency: 'AFN' },
      cancellation: { kind: 'none' },
    })
    const sum = given.lines
      .filter(({ included }) => !included)
      .reduce((total, { amount }) => total + BigInt(amount.amountMicro), 0n)
    expect(given.total.amountMicro).toBe(sum.toString())
    expect(given.lines.map(({ kind }) => kind)).toEqual(['night', 'night', 'tax'])
    expect(given.lines[0]?.label.localized).toHaveProperty('ps-AF')
    expect(await hotels.client().getQuote({ params: given }, hotel)).toEqual(given)
  })

  it('is created once per key, with the same bytes', async () => {
    const key = randomUUID()
    const before = await hotels.environment.countRows('pricing_quote')
    const [first, second] = [await quote({}, { key }), await quote({}, { key })]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await hotels.environment.countRows('pricing_quote')).toBe(before + 1)
    const other = await quote({ stay: stayIn(hotels, 21, 2) }, { key })
    expect(rejectionParts(other)).toEqual([422, 'KEY_REUSED'])
  })

  it('replays an error too', async () => {
    const key = randomUUID()
    const requested = { ratePlanCode: 'NOPE' }
    const [first, second] = [await quote(requested, { key }), await quote(requested, { key })]
    expect(rejectionParts(first).slice(0, 2)).toEqual([409, 'NO_RATE'])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(rejectionParts(second)).toEqual(rejectionParts(first))
  })

  it('has a digest that changes only with the offer', async () => {
    const [one, same, more] = [
      await takeQuote(hotels, hotel),
      await takeQuote(hotels, hotel, { displayCurrency: 'EUR' }),
      await takeQuote(hotels, hotel, { stay: stayIn(hotels, 20, 3) }),
    ]
    expect(same.digest).toBe(one.digest)
    expect(more.digest).not.toBe(one.digest)
  })

  it('uses the requested plan, also a negotiated one', async () => {
    const bar = await takeQuote(hotels, hotel, { ratePlanCode: 'BAR' })
    const corporate = await takeQuote(hotels, hotel, { ratePlanCode: 'CORP' })
    const weekly = await takeQuote(hotels, hotel, { stay: stayIn(hotels, 20, 7) })
    expect([bar.ratePlanCode, corporate.ratePlanCode, weekly.ratePlanCode]).toEqual([
      'BAR',
      'CORP',
      'WEEK',
    ])
  })

  it('adds up several rooms in any order', async () => {
    const [first, second] = hotel.roomTypes
    const rooms = [first, second].map((room) => ({ roomTypeId: room?.roomTypeId, quantity: 1 }))
    const occupancy = { ...COUPLE, rooms: 2 }
    const one = await takeQuote(hotels, hotel, { rooms, occupancy })
    const other = await takeQuote(hotels, hotel, { rooms: rooms.toReversed(), occupancy })
    expect(other).toMatchObject({ total: one.total, digest: one.digest, rooms: one.rooms })
  })
})

describe('a quote in another currency', () => {
  it('contains the converted total and the exchange rates', async () => {
    const given = await takeQuote(hotels, hotel, { displayCurrency: 'USD' })
    const { fxSnapshot, displayTotal } = given
    expect(displayTotal?.currency).toBe('USD')
    expect(fxSnapshot).toMatchObject({ base: 'USD', stale: false })
    const cents =
      (BigInt(given.total.amountMicro) * 1_000_000n * 100n) /
      BigInt(fxSnapshot?.rates['AFN'] ?? 1n) /
      1_000_000n
    const off = BigInt(displayTotal?.amountMicro ?? 0) / 10_000n - cents
    expect([0n, 1n]).toContain(off)
  })

  it('reports stale rates, and is rejected when they are too old', async () => {
    const requested = { displayCurrency: 'USD' }
    const stale = await quote(requested, { scenario: 'fx-stale' })
    expect(stale.body).toMatchObject({ fxSnapshot: { stale: true } })
    expect(await rejected(requested, 'fx-expired')).toEqual([
      409,
      'FX_SNAPSHOT_STALE',
      '/displayCurrency fx_expired',
    ])
    expect((await quote({}, { scenario: 'fx-expired' })).status).toBe(201)
    expect((await quote({ displayCurrency: 'AFN' }, { scenario: 'fx-expired' })).status).toBe(201)
  })
})

describe('a rejection', () => {
  it.each([
    ['a departure before the arrival', { checkIn: 21, checkOut: 20 }, '/stay/checkOut order'],
    ['no night at all', { checkIn: 20, checkOut: 20 }, '/stay/checkOut order'],
    ['too many nights', { checkIn: 20, checkOut: 111 }, '/stay/checkOut max_nights'],
    ['days beyond the horizon', { checkIn: 800, checkOut: 801 }, '/stay/checkIn too_far'],
    ['yesterday', { checkIn: -2, checkOut: 3 }, '/stay/checkIn past'],
  ])('rejects %s', async (_, { checkIn, checkOut }, error) => {
    const { today } = hotels
    const stay = { checkIn: addDays(today, checkIn), checkOut: addDays(today, checkOut) }
    expect(await rejected({ stay })).toEqual([422, 'STAY_INVALID', error])
  })

  it('rejects dates that do not exist, and reports all errors at once', async () => {
    const stay = { checkIn: '2027-02-30', checkOut: '2027-03-02' }
    expect(await rejected({ stay, occupancy: { ...COUPLE, rooms: 2 } })).toEqual([
      422,
      'STAY_INVALID',
      '/occupancy/rooms count',
      '/stay/checkIn date',
    ])
    const occupancy = { ...COUPLE, children: 2, childrenAges: [4] }
    expect(await rejected({ occupancy, stay: { checkIn: LONG_AGO, checkOut: LONG_AGO } })).toEqual([
      422,
      'STAY_INVALID',
      '/occupancy/childrenAges count',
      '/stay/checkOut order',
      '/stay/checkIn past',
    ])
  })

  it('distinguishes no rate, restriction and unknown hotel', async () => {
    expect(await rejected({ ratePlanCode: 'NOPE' })).toEqual([
      409,
      'NO_RATE',
      '/ratePlanCode unknown',
    ])
    expect(await rejected({ rooms: [{ roomTypeId: newId('rmt'), quantity: 1 }] })).toEqual([
      409,
      'NO_RATE',
      '/rooms unknown_room_type',
    ])
    expect(await rejected({ ratePlanCode: 'WEEK' })).toEqual([
      409,
      'RESTRICTED',
      '/stay/checkOut min_nights',
    ])
    expect(await rejected({ ratePlanCode: 'NRF', stay: stayIn(hotels, 1, 2) })).toEqual([
      409,
      'RESTRICTED',
      '/stay/checkIn advance_days',
    ])
    expect(await rejected({ occupancy: { adults: 30, children: 0, rooms: 1 } })).toEqual([
      409,
      'RESTRICTED',
      '/occupancy capacity',
    ])
    expect(await rejected({ propertyId: newId('ppt') })).toEqual([404, 'NOT_FOUND'])
    expect(await rejected({}, 'no-rate')).toEqual([409, 'NO_RATE', '/stay scenario'])
  })

  it('returns pointers for an invalid body', async () => {
    const [status, code, ...errors] = await rejected({
      occupancy: { adults: 0, children: 0, rooms: 1 },
    })
    expect([status, code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(errors.join()).toContain('/occupancy/adults')
  })
})

describe('a suspended hotel', () => {
  it('gets no new quotes until it is reactivated; existing ones can be read', async () => {
    const given = await takeQuote(hotels, hotel)
    const setStatus = (status: string) =>
      hotels.environment.query(
        `insert into sandbox.tenant_account
           (tenant_id, slug, legal_name, display_name, country, region, config, search_text, status)
         values ($1, 'off-sale', 'x', '{}', 'AF', 'x', '{}', 'x', $2)
         on conflict (tenant_id) do update set status = excluded.status`,
        [idToUuid(hotel.tenantId), status],
      )
    for (const status of ['suspended', 'closed']) {
      await setStatus(status)
      expect(await rejected({})).toEqual([403, 'SUSPENDED'])
    }
    expect(await hotels.client().getQuote({ params: given }, hotel)).toEqual(given)
    await setStatus('active')
    expect((await quote()).status).toBe(201)
  })
})

describe('another tenant', () => {
  it('finds neither quote nor hotel (D18)', async () => {
    const given = await takeQuote(hotels, hotel)
    const stranger = { tenantId: newId('tnt') }
    const client = hotels.client()
    expect(await rejectionOf(client.getQuote({ params: given }, stranger))).toBe(
      'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
    )
    expect(await rejectionOf(client.recheckQuote({ params: given }, stranger))).toBe(
      'MELMASTOON.PRICING.QUOTE_NOT_FOUND',
    )
    const response = await post(hotels, '/pricing/quotes', quoteBody(hotels, hotel), stranger)
    expect(rejectionParts(response)).toEqual([404, 'NOT_FOUND'])
  })
})

describe('the end of a quote', () => {
  it('is decided by the database clock: it can be read and no longer booked', async () => {
    const { pricing } = hotels.sandbox.ctx.modules
    const { db } = hotels.sandbox.ctx
    const given = await takeQuote(hotels, hotel)
    const pin = () => db.withTenant(hotel.tenantId, (tx) => pricing.quoteById(tx, given.quoteId))
    expect(await pin()).toEqual(given)
    await endQuote(hotels, given)
    await expect(pin()).rejects.toMatchObject({ code: 'MELMASTOON.PRICING.QUOTE_EXPIRED' })
    expect(await hotels.client().getQuote({ params: given }, hotel)).toEqual(given)
    const unknown = () => db.withTenant(hotel.tenantId, (tx) => pricing.quoteById(tx, newId('qte')))
    await expect(unknown()).rejects.toMatchObject({ code: 'MELMASTOON.PRICING.QUOTE_NOT_FOUND' })
  })
})

const recheck = (given: Quote, scenario?: string) =>
  hotels.client(scenario).recheckQuote({ params: given }, hotel)

const movePrices = (given: Quote, basisPoints: number) =>
  post(hotels, `/pricing/rate-plans/${given.ratePlanId}/prices`, { basisPoints }, hotel)

const promo = (promoCode: string, more: object = {}) =>
  post(hotels, '/pricing/quotes', quoteBody(hotels, hotel, { promoCode, ...more }), hotel)

describe('a re-check', () => {
  it('matches without changes, detects a change immediately, and matches again when it is undone', async () => {
    const given = await takeQuote(hotels, hotel, { ratePlanCode: 'CORP' })
    expect(await recheck(given)).toMatchObject({
      outcome: 'matched',
      quoted: given.total,
      current: given.total,
      currentDigest: given.digest,
    })
    await movePrices(given, 0)
    expect(await recheck(given)).toMatchObject({ outcome: 'matched' })
    await movePrices(given, 10_000)
    const changed = await recheck(given)
    expect(changed.outcome).toBe('changed')
    expect(BigInt(changed.current?.amountMicro ?? 0)).toBe(2n * BigInt(given.total.amountMicro))
    await movePrices(given, -5_000)
    expect(await recheck(given)).toMatchObject({ outcome: 'matched' })
  })

  it('reports that an offer no longer exists when its plan does not', async () => {
    const given = await takeQuote(hotels, hotel, { ratePlanCode: 'CORP' })
    const setStatus = (status: string) =>
      hotels.environment.query(
        `with plan as (
           update sandbox.pricing_rate_plan set status = $2 where rate_plan_id = $1
           returning property_id),
         next as (update sandbox.pricing_revision set revision = revision + 1 returning revision)
         update sandbox.pricing_property p set revision = next.revision from next, plan
         where p.property_id = plan.property_id`,
        [idToUuid(given.ratePlanId), status],
      )
    await setStatus('archived')
    expect(await recheck(given)).toMatchObject({ outcome: 'gone', quoted: given.total })
    await setStatus('published')
    expect(await recheck(given)).toMatchObject({ outcome: 'matched' })
  })

  it('simulates a higher price and a missing rate on request', async () => {
    const given = await takeQuote(hotels, hotel)
    const up = await recheck(given, 'price-up')
    expect(up.outcome).toBe('changed')
    const [before, after] = [BigInt(given.total.amountMicro), BigInt(up.current?.amountMicro ?? 0)]
    expect(after - (before * 11n) / 10n).toBeLessThanOrEqual(30_000n)
    expect(after).toBeGreaterThan(before)
    expect(await recheck(given, 'no-rate')).toMatchObject({ outcome: 'gone' })
    expect(await recheck(given)).toMatchObject({ outcome: 'matched' })
  })

  it('simulates them later for quotes with a magic promotion code', async () => {
    const dearer = (await promo('SANDBOX-PRICE-UP')).body as Quote
    const gone = (await promo('SANDBOX-GONE')).body as Quote
    const plain = await takeQuote(hotels, hotel)
    expect([dearer.total, gone.total]).toEqual([plain.total, plain.total])
    expect(await recheck(dearer)).toMatchObject({ outcome: 'changed' })
    expect(await recheck(gone)).toMatchObject({ outcome: 'gone' })
    const shown = await recheck(dearer)
    const next = (await promo('SANDBOX-PRICE-UP')).body as Quote
    expect([next.total, next.digest]).toEqual([shown.current, shown.currentDigest])
    expect(await recheck(next)).toMatchObject({ outcome: 'matched' })
    expect(((await promo('SANDBOX-PRICE-UP')).body as Quote).total).toEqual(plain.total)
  })

  it('quotes the higher price itself with the header', async () => {
    const options = { ...hotel, scenario: 'price-up' }
    const response = await post(hotels, '/pricing/quotes', quoteBody(hotels, hotel), options)
    const given = response.body as Quote
    const plain = await takeQuote(hotels, hotel)
    expect(BigInt(given.total.amountMicro)).toBeGreaterThan(BigInt(plain.total.amountMicro))
    expect(await recheck(given)).toMatchObject({ outcome: 'changed', current: plain.total })
  })
})

describe('a promotion', () => {
  it('applies a percentage and is part of the re-check', async () => {
    const given = (await promo('WELCOME10')).body as Quote
    const plain = await takeQuote(hotels, hotel)
    expect(given.lines.find(({ kind }) => kind === 'promotion')?.amount.amountMicro).toMatch(/^-/)
    expect(BigInt(given.total.amountMicro)).toBeLessThan(BigInt(plain.total.amountMicro))
    expect(given.digest).not.toBe(plain.digest)
    expect(await recheck(given)).toMatchObject({ outcome: 'matched' })
    await hotels.environment.query(
      "update sandbox.pricing_promotion set ends_at = now() where tenant_id = $1 and code = 'TEA5'",
      [idToUuid(hotel.tenantId)],
    )
    expect(rejectionParts(await promo('TEA5'))[2]).toBe('/promoCode expired')
  })

  it.each([
    ['NOSUCH', 'unknown', {}],
    ['BYGONE', 'expired', {}],
    ['WELCOME10', 'min_nights', { nights: 1 }],
  ])('%s is rejected as %s', async (code, reason, { nights = 2 }: { nights?: number }) => {
    const stay = stayIn(hotels, 20, nights)
    expect(rejectionParts(await promo(code, { stay }))).toEqual([
      422,
      'PROMOTION_REFUSED',
      `/promoCode ${reason}`,
    ])
  })

  it('with one redemption is granted to one of many concurrent requests, and released without a booking', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => promo('LASTONE')))
    const winners = responses.filter(({ status }) => status === 201)
    expect(winners).toHaveLength(1)
    const losers = responses.filter(({ status }) => status !== 201).map(rejectionParts)
    expect(new Set(losers.map(String))).toEqual(
      new Set(['422,PROMOTION_REFUSED,/promoCode cap_exceeded']),
    )
    const used = "code = 'LASTONE'"
    expect(await hotels.environment.countRows('pricing_quote_redemption', used)).toBe(1)

    const expireUse =
      "update sandbox.pricing_quote_redemption set lapses_at = now() where code = 'LASTONE'"
    await hotels.environment.query(`${expireUse} and lapses_at is not null`)
    const next = (await promo('LASTONE')).body as Quote
    const { db, modules } = hotels.sandbox.ctx
    await db.withTenant(hotel.tenantId, (tx) => modules.pricing.confirmPromotion(tx, next.quoteId))
    await hotels.environment.query(`${expireUse} and lapses_at is not null`)
    expect(rejectionParts(await promo('LASTONE'))[2]).toBe('/promoCode cap_exceeded')
  })

  it('that expired is confirmed by a late booking only while one is left', async () => {
    const { db, modules } = hotels.sandbox.ctx
    const confirm = ({ quoteId }: Quote) =>
      db.withTenant(hotel.tenantId, (tx) => modules.pricing.confirmPromotion(tx, quoteId))
    const setExpiry = (expiresAt: string) =>
      hotels.environment.query(
        `update sandbox.pricing_quote_redemption set lapses_at = ${expiresAt} where code = 'LASTONE'`,
      )
    await setExpiry('now()')
    const late = (await promo('LASTONE')).body as Quote
    await setExpiry('now()')
    const winner = (await promo('LASTONE')).body as Quote
    await expect(confirm(late)).rejects.toMatchObject({ code: 'MELMASTOON.PRICING.PRICE_CHANGED' })
    await confirm(winner)
    await expect(confirm(late)).rejects.toMatchObject({ code: 'MELMASTOON.PRICING.PRICE_CHANGED' })
    await setExpiry('now()')
    await confirm(late)
    const confirmed = "code = 'LASTONE' and lapses_at is null"
    expect(await hotels.environment.countRows('pricing_quote_redemption', confirmed)).toBe(1)
    await confirm(await takeQuote(hotels, hotel))
  })

  it('control: would be granted twice without the lock', async () => {
    await using db = createDatabase({
      url: hotels.environment.relayUrl,
      poolMax: 2,
      onError: () => undefined,
    })
    const use = () => ({
      tenant: idToUuid(hotel.tenantId),
      quote: idToUuid(newId('qte')),
      code: 'UNGUARDED',
      max: 1,
      minutes: 60,
    })
    const [first, second] = [latch(), latch()]
    const one = db.transaction(async (tx) => {
      const taken = await tx.query(insertRedemption(use()))
      first.open()
      await second.promise
      return taken.length
    })
    await first.promise
    const other = await db.query(insertRedemption(use()))
    second.open()
    expect([await one, other.length]).toEqual([1, 1])
  })
})
