import { idToUuid, newId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { describe, expect, it } from 'vitest'
import {
  type Hotel,
  openHotel,
  placeHold,
  post,
  readNights,
  reconcile,
  setExpiry,
  settleHold,
} from '../no-oversell/hotel.ts'
import {
  confirmReservation,
  DIGEST,
  GUEST,
  giveQuote,
  holdReservation,
  TOTAL,
} from '../no-oversell/quote.ts'
import { createSweeper } from '../no-oversell/sweep.ts'
import {
  clientFor,
  contracts,
  drainEvents,
  type RunningSandbox,
  send,
  serviceHeaders,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { makeTenant } from '../tenant/tenant-fixture.ts'
import { useSandbox } from '../use-sandbox.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

async function holdOne(hotel: Hotel, key = newId('req')) {
  const quoteId = await giveQuote(environment, hotel)
  const { body } = await holdReservation(sandbox.url, hotel, { quoteId, key })
  return { ...body, reservationId: String(body['reservationId']), quoteId }
}

const move = (hotel: Hotel, reservationId: string, how: string, json: unknown = {}) =>
  post(sandbox.url, hotel, `/reservations/${reservationId}/${how}`, { json })

const read = (hotel: Pick<Hotel, 'tenantId'>, path: string) =>
  send(sandbox.url, 'GET', `/upstreams/reservation/api/v1/reservations/${path}`, {
    headers: serviceHeaders(hotel.tenantId),
  })

async function subjectsOf(reservationId: string): Promise<string[]> {
  const events = await drainEvents(environment)
  return events
    .filter(
      ({ payload }) => (payload as Record<string, unknown>)['reservationId'] === reservationId,
    )
    .map(({ envelope }) => envelope.subject.replace('melmastoon.', ''))
}

describe('a reservation', () => {
  it('is held at the quoted price, confirmed once, and its events contain no guest data', async () => {
    const hotel = await openHotel(environment, { rooms: [2] })
    const held = await holdOne(hotel)
    expect(held).toMatchObject({ status: 'held', total: TOTAL, digest: DIGEST, version: 1 })
    const confirmed = await confirmReservation(sandbox.url, hotel, held.reservationId)
    expect([confirmed.status, confirmed.body['status']]).toEqual([200, 'confirmed'])
    expect(confirmed.body).toMatchObject({
      version: 2,
      payment: { method: 'cash_on_arrival' },
      history: [{ status: 'held' }, { status: 'confirmed' }],
    })
    const { body } = await read(hotel, held.reservationId)
    expect(body).toEqual(confirmed.body)
    const again = await confirmReservation(sandbox.url, hotel, held.reservationId)
    expect(again.body['code']).toBe('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
    expect(await subjectsOf(held.reservationId)).toEqual([
      'inventory.allocation.requested.v1',
      'reservation.held.v1',
      'inventory.allocation.committed.v1',
      'reservation.confirmed.v1',
    ])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 0, sold: 1 },
    ])
  })

  it('stores guest data in one table only', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId } = await holdOne(hotel)
    const { text } = await confirmReservation(sandbox.url, hotel, reservationId)
    expect(text).not.toMatch(/canary/i)
    const tables = await environment.query<{
      name: string
      found: boolean
    }>(`select relname as name, query_to_xml(format('select * from sandbox.%I', relname), false,
         false, '')::text ~* 'canary' as found
       from pg_class where relnamespace = 'sandbox'::regnamespace and relkind = 'r'`)
    expect(tables.filter(({ found }) => found).map(({ name }) => name)).toEqual([
      'reservation_guest',
    ])
    const [guest] = await environment.query('select * from sandbox.reservation_guest limit 1')
    expect(guest).toMatchObject({ full_name: GUEST.fullName, email: GUEST.email })
    expect((await expectValidEvents(environment.adminUrl, contracts)).length).toBeGreaterThan(0)
  })

  it('is found by the key of the call that created or changed it, by its caller only', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const keys = [newId('req'), newId('req')] as const
    const { reservationId } = await holdOne(hotel, keys[0])
    await confirmReservation(sandbox.url, hotel, reservationId, { key: keys[1] })
    for (const key of keys) {
      const found = await read(hotel, `by-key/${key}`)
      expect([found.status, found.body['reservationId']]).toEqual([200, reservationId])
    }
    expect((await read(hotel, `by-key/${newId('req')}`)).status).toBe(404)
    expect((await read({ tenantId: newId('tnt') }, `by-key/${keys[0]}`)).status).toBe(404)
    const other = await send(
      sandbox.url,
      'GET',
      `/upstreams/reservation/api/v1/reservations/by-key/${keys[0]}`,
      { headers: serviceHeaders(hotel.tenantId, 'another-service') },
    )
    expect(other.status).toBe(404)
  })

  it('can be cancelled while held or confirmed, and its rooms are available again', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const first = await holdOne(hotel)
    const cancel = { reasonCode: 'changed_plans' }
    const cancelled = await move(hotel, first.reservationId, 'cancel', cancel)
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      history: [{ status: 'held' }, { status: 'cancelled', reasonCode: 'changed_plans' }],
    })
    const second = await holdOne(hotel)
    await confirmReservation(sandbox.url, hotel, second.reservationId)
    expect((await move(hotel, second.reservationId, 'cancel', cancel)).status).toBe(200)
    const twice = await move(hotel, second.reservationId, 'cancel', cancel)
    expect(twice.body['code']).toBe('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
    expect((await holdOne(hotel)).reservationId).toMatch(/^rsv_/)
  })

  it('is extended with its rooms, at most twelve times', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId } = await holdOne(hotel)
    await setExpiry(environment, [(await read(hotel, reservationId)).body['allocationId']], 5_000)
    const extended = await move(hotel, reservationId, 'extend')
    expect(extended.body).toMatchObject({ status: 'held', holdExtensions: 1, version: 2 })
    const leftMs = Date.parse(String(extended.body['holdExpiresAt'])) - Date.now()
    expect(leftMs).toBeGreaterThan(500_000)
    for (let i = 0; i < 11; i += 1) await move(hotel, reservationId, 'extend')
    const rejected = await move(hotel, reservationId, 'extend')
    expect(rejected.body['code']).toBe('MELMASTOON.INVENTORY.EXTENSION_REFUSED')
    await confirmReservation(sandbox.url, hotel, reservationId)
    const late = await move(hotel, reservationId, 'extend')
    expect(late.body['code']).toBe('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
  })

  it('is not created for a suspended hotel; a held one may still be confirmed', async () => {
    const { tenant, own, params } = await makeTenant(sandbox.url)
    const hotel = await openHotel(environment, { rooms: [2], tenantId: tenant.tenantId })
    const { reservationId } = await holdOne(hotel)
    const { suspend } = clientFor(tenantContract, sandbox.url)
    await suspend({ params, body: { reasonCode: 'unpaid' } }, own())
    const quoteId = await giveQuote(environment, hotel)
    const rejected = await holdReservation(sandbox.url, hotel, { quoteId })
    expect([rejected.status, rejected.body['code']]).toEqual([403, 'MELMASTOON.TENANT.SUSPENDED'])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 1, sold: 0 },
    ])
    expect((await confirmReservation(sandbox.url, hotel, reservationId)).status).toBe(200)
  })

  it('is rejected for an unknown, foreign or expired quote, and for another price', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const stranger = await openHotel(environment, { rooms: [1] })
    const requests = [
      { quoteId: newId('qte'), code: 'PRICING.QUOTE_NOT_FOUND' },
      { quoteId: await giveQuote(environment, stranger), code: 'PRICING.QUOTE_NOT_FOUND' },
      {
        quoteId: await giveQuote(environment, hotel, { minutes: -1 }),
        code: 'PRICING.QUOTE_EXPIRED',
      },
      {
        quoteId: await giveQuote(environment, hotel, { rooms: 2 }),
        code: 'RESERVATION.OVERBOOKING_BLOCKED',
      },
    ]
    for (const { quoteId, code } of requests) {
      const rejected = await holdReservation(sandbox.url, hotel, { quoteId })
      expect(rejected.body['code']).toBe(`MELMASTOON.${code}`)
    }
    const { reservationId } = await holdOne(hotel)
    const digest = `sha256:${'6'.repeat(64)}`
    const changed = await confirmReservation(sandbox.url, hotel, reservationId, { digest })
    expect([changed.status, changed.body['code']]).toEqual([
      409,
      'MELMASTOON.PRICING.PRICE_CHANGED',
    ])
    for (const how of ['confirm', 'cancel', 'extend']) {
      const body = how === 'cancel' ? { reasonCode: 'no_reason' } : {}
      const json = how === 'confirm' ? confirmBody() : body
      const foreign = await move(stranger, reservationId, how, json)
      expect([foreign.status, foreign.body['code']]).toEqual([
        404,
        'MELMASTOON.RESERVATION.NOT_FOUND',
      ])
    }
  })

  it('controls its allocation exclusively', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { reservationId } = await holdOne(hotel)
    const { body } = await read(hotel, reservationId)
    for (const how of ['commit', 'release', 'extend'] as const) {
      const { allocationId } = body
      const rejected = await settleHold(sandbox.url, hotel, { allocationId, how })
      expect(rejected.body['code']).toBe('MELMASTOON.INVENTORY.HOLD_OF_RESERVATION')
    }
  })
})

const confirmBody = () => ({
  guest: GUEST,
  payment: { method: 'cash_on_arrival' },
  expectedDigest: DIGEST,
})

describe('a late confirmation', () => {
  it.each(['before', 'after'])(
    'takes available rooms again, %s the sweep of the hold',
    async (when) => {
      const hotel = await openHotel(environment, { rooms: [1] })
      const held = await holdOne(hotel)
      const { body: before } = await read(hotel, held.reservationId)
      await setExpiry(environment, [before['allocationId']], -1)
      await using sweeper = createSweeper(environment)
      if (when === 'after') await sweeper.sweep()
      const confirmed = await confirmReservation(sandbox.url, hotel, held.reservationId)
      expect(confirmed.body).toMatchObject({
        status: 'confirmed',
        history: [{ status: 'held' }, { status: 'expired_hold' }, { status: 'confirmed' }],
      })
      expect(confirmed.body['allocationId']).not.toBe(before['allocationId'])
      expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
        { held: 0, sold: 1 },
      ])
      expect(await subjectsOf(held.reservationId)).toEqual([
        'inventory.allocation.requested.v1',
        'reservation.held.v1',
        'inventory.allocation.released.v1',
        'reservation.hold_expired.v1',
        'inventory.allocation.committed.v1',
        'reservation.confirmed.v1',
      ])
    },
  )

  it('is rejected when the rooms are taken', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const held = await holdOne(hotel)
    const { body } = await read(hotel, held.reservationId)
    await setExpiry(environment, [body['allocationId']], -1)
    const other = await placeHold(sandbox.url, hotel)
    expect(other.status).toBe(201)
    const rejected = await confirmReservation(sandbox.url, hotel, held.reservationId)
    expect([rejected.status, rejected.body['code']]).toEqual([
      409,
      'MELMASTOON.RESERVATION.OVERBOOKING_BLOCKED',
    ])
    expect((await read(hotel, held.reservationId)).body['status']).toBe('expired_hold')
    const [row] = await environment.query<{ n: number }>(
      'select count(*)::int as n from sandbox.reservation_guest where reservation_id = $1',
      [idToUuid(held.reservationId as ReturnType<typeof newId<'rsv'>>)],
    )
    expect(row?.n).toBe(0)
  })

  it('never sells one room twice, also with many concurrent ones', async () => {
    const hotel = await openHotel(environment, { rooms: [2] })
    const held = [await holdOne(hotel), await holdOne(hotel)]
    const ids = held.map(({ reservationId }) => reservationId)
    const rooms = await Promise.all(ids.map((id) => read(hotel, id)))
    await setExpiry(
      environment,
      rooms.map(({ body }) => body['allocationId']),
      -1,
    )
    const responses = await Promise.all([
      ...[...ids, ...ids].map((id) => confirmReservation(sandbox.url, hotel, id)),
      ...Array.from({ length: 6 }, () => placeHold(sandbox.url, hotel)),
    ])
    const won = responses.filter(({ status }) => status < 300)
    expect(won).toHaveLength(2)
    expect(responses.filter(({ status }) => status >= 500)).toEqual([])
    const [night] = await readNights(environment, hotel.roomTypeIds[0])
    expect((night?.held ?? 0) + (night?.sold ?? 0)).toBe(2)
    expect(await reconcile(environment)).toEqual([])
  })
})

it('the inventory is consistent after all tests', async () => {
  expect(await reconcile(environment)).toEqual([])
})
