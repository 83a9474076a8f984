import { createDatabase, sql } from '@melmastoon/chassis/db'
import { type Id, idToUuid, newId, type QuoteId, type ReservationId } from '@melmastoon/domain'
import { eventually, latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { systemCause } from '../../src/event-causes.ts'
import { createReservationModule } from '../../src/modules/reservation/module.ts'
import {
  type Hotel,
  openHotel,
  post,
  readNights,
  reconcile,
  setExpiry,
} from '../no-oversell/hotel.ts'
import {
  confirmReservation,
  DIGEST,
  GUEST,
  giveQuote,
  holdReservation,
  type QuoteOptions,
  TOTAL,
} from '../no-oversell/quote.ts'
import { createSweeper } from '../no-oversell/sweep.ts'
import { wrapDatabase } from '../payment/wrap-database.ts'
import { type RunningSandbox, send, type TestEnvironment } from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'

const NEW_DIGEST = `sha256:${'7'.repeat(64)}`
const NEW_TOTAL = { amountMicro: '91000000', currency: 'USD' } as const

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

async function holdOne(hotel: Hotel) {
  const quoteId = await giveQuote(environment, hotel)
  const { body } = await holdReservation(sandbox.url, hotel, { quoteId })
  const { reservationId, allocationId } = body
  return { quoteId, reservationId: String(reservationId), allocationId: String(allocationId) }
}

const dearer = (hotel: Hotel, more: QuoteOptions = {}) =>
  giveQuote(environment, hotel, { digest: NEW_DIGEST, total: NEW_TOTAL, ...more })

interface Repricing {
  readonly quoteId: QuoteId
  readonly key?: string
  readonly expectedDigest?: string
}

const reprice = (hotel: Hotel, reservationId: string, request: Repricing) => {
  const { quoteId, key, expectedDigest = NEW_DIGEST } = request
  const json = { quoteId, expectedDigest }
  return post(sandbox.url, hotel, `/reservations/${reservationId}/reprice`, { key, json })
}

const cancel = (hotel: Hotel, reservationId: string) =>
  post(sandbox.url, hotel, `/reservations/${reservationId}/cancel`, {
    json: { reasonCode: 'abandoned' },
  })

const codeOf = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
  String(body['code']).replace('MELMASTOON.', '')

describe('a hold with an expected digest', () => {
  it('is placed only for the quote with that digest (HOLD-13)', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const quoteId = await giveQuote(environment, hotel)
    const changed = await holdReservation(sandbox.url, hotel, {
      quoteId,
      expectedDigest: NEW_DIGEST,
    })
    expect([changed.status, codeOf(changed)]).toEqual([409, 'PRICING.PRICE_CHANGED'])
    expect(changed.body).toMatchObject({ currentDigest: DIGEST, current: TOTAL })
    const held = await holdReservation(sandbox.url, hotel, { quoteId, expectedDigest: DIGEST })
    expect(held.body).toMatchObject({ status: 'held', digest: DIGEST })
  })
})

describe('repricing a hold', () => {
  it('replaces quote, digest and total; the rooms and their expiry stay', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId, allocationId } = await holdOne(hotel)
    const quoteId = await dearer(hotel)
    const key = newId('req')
    const repriced = await reprice(hotel, reservationId, { quoteId, key })
    expect(repriced.status).toBe(200)
    expect(repriced.body).toMatchObject({
      status: 'held',
      quoteId,
      digest: NEW_DIGEST,
      total: NEW_TOTAL,
      allocationId,
      holdExtensions: 0,
      version: 2,
      history: [{ status: 'held' }, { status: 'held', reasonCode: 'repriced' }],
    })
    const replayed = await reprice(hotel, reservationId, { quoteId, key })
    expect(replayed.text).toBe(repriced.text)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
    expect(codeOf(await confirmReservation(sandbox.url, hotel, reservationId))).toBe(
      'PRICING.PRICE_CHANGED',
    )
    const confirmed = await confirmReservation(sandbox.url, hotel, reservationId, {
      digest: NEW_DIGEST,
    })
    expect(confirmed.body).toMatchObject({ status: 'confirmed', total: NEW_TOTAL, version: 3 })
    expect(codeOf(await reprice(hotel, reservationId, { quoteId: await dearer(hotel) }))).toBe(
      'RESERVATION.ILLEGAL_TRANSITION',
    )
  })

  it('is rejected for other terms, rooms, dates and hotels, and changes nothing', async () => {
    const hotel = await openHotel(environment, { rooms: [2] })
    const other = await openHotel(environment, { rooms: [1], tenantId: hotel.tenantId })
    const stranger = await openHotel(environment, { rooms: [1] })
    const { reservationId } = await holdOne(hotel)
    const later = { checkIn: hotel.day(22), checkOut: hotel.day(23) }
    const attempts: [Promise<QuoteId> | QuoteId, string][] = [
      [newId('qte'), 'PRICING.QUOTE_NOT_FOUND'],
      [dearer(stranger), 'PRICING.QUOTE_NOT_FOUND'],
      [dearer(hotel, { minutes: -1 }), 'PRICING.QUOTE_EXPIRED'],
      [dearer(hotel, { rooms: 2 }), 'RESERVATION.QUOTE_MISMATCH'],
      [dearer(hotel, { stay: later }), 'RESERVATION.QUOTE_MISMATCH'],
      [dearer(other), 'RESERVATION.QUOTE_MISMATCH'],
    ]
    for (const [quoteId, code] of attempts) {
      const rejected = await reprice(hotel, reservationId, { quoteId: await quoteId })
      expect(codeOf(rejected)).toBe(code)
    }
    const quoteId = await dearer(hotel)
    const changed = await reprice(hotel, reservationId, { quoteId, expectedDigest: DIGEST })
    expect([changed.status, codeOf(changed)]).toEqual([409, 'PRICING.PRICE_CHANGED'])
    expect(changed.body).toMatchObject({ previous: TOTAL, current: NEW_TOTAL })
    expect(codeOf(await reprice(stranger, reservationId, { quoteId }))).toBe(
      'RESERVATION.NOT_FOUND',
    )
    const confirmed = await confirmReservation(sandbox.url, hotel, reservationId)
    expect(confirmed.body).toMatchObject({ total: TOTAL, version: 2 })
  })

  it.each(['before', 'after'])('is rejected %s the sweep of an expired hold', async (when) => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId, allocationId } = await holdOne(hotel)
    await setExpiry(environment, [allocationId], -1)
    await using sweeper = createSweeper(environment)
    if (when === 'after') await sweeper.sweep()
    const rejected = await reprice(hotel, reservationId, { quoteId: await dearer(hotel) })
    expect([rejected.status, codeOf(rejected)]).toEqual([410, 'RESERVATION.HOLD_EXPIRED'])
  })

  it('releases the redemption of the previous quote, and confirms that of the new one', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const held = await holdOne(hotel)
    const quoteId = await dearer(hotel)
    await environment.query(
      `insert into sandbox.pricing_promotion (tenant_id, code, basis_points, min_nights,
         redemptions_max, starts_at, ends_at)
       values ($1, 'TWO', 500, 1, 2, now() - interval '1 day', now() + interval '1 day')`,
      [idToUuid(hotel.tenantId)],
    )
    await environment.query(
      `insert into sandbox.pricing_quote_redemption (tenant_id, quote_id, code, lapses_at)
       select $1, q, 'TWO', now() + interval '1 hour' from unnest($2::uuid[]) q`,
      [idToUuid(hotel.tenantId), [held.quoteId, quoteId].map((id: Id<'qte'>) => idToUuid(id))],
    )
    await reprice(hotel, held.reservationId, { quoteId })
    const redemption = async (id: QuoteId) => {
      const [row] = await environment.query<{ state: string }>(
        `select case when lapses_at is null then 'permanent'
           when lapses_at <= clock_timestamp() then 'released' else 'taken' end as state
         from sandbox.pricing_quote_redemption where quote_id = $1`,
        [idToUuid(id)],
      )
      return row?.state
    }
    expect([await redemption(held.quoteId), await redemption(quoteId)]).toEqual([
      'released',
      'taken',
    ])
    await confirmReservation(sandbox.url, hotel, held.reservationId, { digest: NEW_DIGEST })
    expect(await redemption(quoteId)).toBe('permanent')
  })

  it('before a confirmation that has already read it: the old price is not confirmed', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId, allocationId } = await holdOne(hotel)
    const quoteId = await dearer(hotel)
    await using lock = await lockAllocation(allocationId)
    const repricing = reprice(hotel, reservationId, { quoteId })
    await lock.untilWaiting(1)
    const confirming = confirmReservation(sandbox.url, hotel, reservationId)
    await lock.untilWaiting(2)
    lock.release()
    expect((await repricing).body).toMatchObject({ digest: NEW_DIGEST, total: NEW_TOTAL })
    const confirmed = await confirming
    expect([confirmed.status, codeOf(confirmed)]).toEqual([409, 'PRICING.PRICE_CHANGED'])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 1, sold: 0 },
    ])
  })
})

it('control: without the comparison of the digest, the old consent confirms the new price', async () => {
  const hotel = await openHotel(environment, { rooms: [1] })
  const { reservationId, allocationId } = await holdOne(hotel)
  const quoteId = await dearer(hotel)
  const { ctx } = sandbox
  const unguarded = (text: string) =>
    text.replace(/(b\.digest is not distinct from .*)/, '($1 or true)')
  const db = wrapDatabase(ctx.db, { edit: unguarded })
  const { handlers } = createReservationModule({ ...ctx, db }, ctx.modules)
  await using lock = await lockAllocation(allocationId)
  const repricing = reprice(hotel, reservationId, { quoteId })
  await lock.untilWaiting(1)
  const confirming = handlers.confirm(
    {
      params: { reservationId: reservationId as ReservationId },
      body: { guest: GUEST, payment: { method: 'cash_on_arrival' }, expectedDigest: DIGEST },
    },
    {
      tenantId: hotel.tenantId,
      caller: 'test-service',
      locale: 'en',
      scenario: undefined,
      cause: { ...systemCause('test'), tenantId: hotel.tenantId },
      key: newId('req'),
      finish: async (_tx, body) => body,
    },
  )
  await lock.untilWaiting(2)
  lock.release()
  await repricing
  expect(await confirming).toMatchObject({ status: 'confirmed', total: NEW_TOTAL })
})

/** Everything that changes the hold waits until the lock is released. */
async function lockAllocation(allocationId: string) {
  const db = createDatabase({ url: environment.relayUrl, poolMax: 1, onError: () => undefined })
  const [locked, released] = [latch(), latch()]
  const holding = db.transaction(async (tx) => {
    await tx.query(sql`select 1 from sandbox.inventory_allocation
      where allocation_id = ${idToUuid(allocationId as Id<'inv'>)}::uuid for update`)
    locked.open()
    await released.promise
  })
  await locked.promise
  return {
    release: () => released.open(),
    untilWaiting: (count: number) =>
      eventually(async () => {
        const [row] = await environment.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(row?.n).toBe(count)
      }),
    async [Symbol.asyncDispose]() {
      released.open()
      await holding
      await db[Symbol.asyncDispose]()
    },
  }
}

describe('cancelling a reservation whose hold has expired', () => {
  it.each(['before', 'after'])('%s the sweep rules out a delayed confirmation', async (when) => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId, allocationId } = await holdOne(hotel)
    await setExpiry(environment, [allocationId], -1)
    await using sweeper = createSweeper(environment)
    if (when === 'after') await sweeper.sweep()
    const cancelled = await cancel(hotel, reservationId)
    expect([cancelled.status, cancelled.body['status']]).toEqual([200, 'cancelled'])
    const late = await confirmReservation(sandbox.url, hotel, reservationId)
    expect([late.status, codeOf(late)]).toEqual([409, 'RESERVATION.ILLEGAL_TRANSITION'])
    expect(codeOf(await cancel(hotel, reservationId))).toBe('RESERVATION.ILLEGAL_TRANSITION')
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 0, sold: 0 },
    ])
  })

  it('releases nothing that another guest has taken since', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId, allocationId } = await holdOne(hotel)
    await setExpiry(environment, [allocationId], -1)
    const next = await holdOne(hotel)
    expect((await cancel(hotel, reservationId)).status).toBe(200)
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 1 }])
    expect((await confirmReservation(sandbox.url, hotel, next.reservationId)).status).toBe(200)
  })

  it('and confirming it at once has one outcome', async () => {
    for (let round = 0; round < 8; round += 1) {
      const hotel = await openHotel(environment, { rooms: [1] })
      const { reservationId, allocationId } = await holdOne(hotel)
      await setExpiry(environment, [allocationId], -1)
      const [confirmed, cancelled] = await Promise.all([
        confirmReservation(sandbox.url, hotel, reservationId),
        cancel(hotel, reservationId),
      ])
      const wasSold = confirmed.status === 200 && cancelled.status !== 200
      const [night] = await readNights(environment, hotel.roomTypeIds[0])
      expect(night?.sold).toBe(wasSold ? 1 : 0)
      expect([confirmed.status, cancelled.status].filter((status) => status >= 500)).toEqual([])
    }
    expect(await reconcile(environment)).toEqual([])
  })
})

describe('expiring a hold on request', () => {
  const expire = (hotel: Hotel, reservationId: string) =>
    send(
      sandbox.url,
      'POST',
      `/admin/api/tenants/${hotel.tenantId}/reservations/${reservationId}/expire-hold`,
      { json: {} },
    )

  it('behaves like the end of its time', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId } = await holdOne(hotel)
    const expired = await expire(hotel, reservationId)
    expect([expired.status, expired.body['status']]).toEqual([200, 'expired_hold'])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([{ held: 0 }])
    expect(codeOf(await expire(hotel, reservationId))).toBe('RESERVATION.HOLD_EXPIRED')
    const late = await confirmReservation(sandbox.url, hotel, reservationId)
    expect([late.status, late.body['status']]).toEqual([200, 'confirmed'])
    expect(codeOf(await expire(hotel, reservationId))).toBe('RESERVATION.ILLEGAL_TRANSITION')
    expect(codeOf(await expire(hotel, newId('rsv')))).toBe('RESERVATION.NOT_FOUND')
    expect(await reconcile(environment)).toEqual([])
  })
})
