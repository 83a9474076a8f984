import { newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import {
  openHotel,
  placeHold,
  post,
  readNights,
  reconcile,
  setExpiry,
  settleHold,
  tally,
} from '../no-oversell/hotel.ts'
import {
  drainEvents,
  type RunningSandbox,
  send,
  serviceHeaders,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { raceSettlements } from './settle-race.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

describe('a hold', () => {
  it('reserves rooms, is committed once, and publishes its events', async () => {
    const hotel = await openHotel(environment, { rooms: [2] })
    const stay = { checkIn: hotel.day(5), checkOut: hotel.day(7) }
    const placed = await placeHold(sandbox.url, hotel, { stay })
    expect([placed.status, placed.body['state']]).toEqual([201, 'active'])
    const { allocationId } = placed.body
    const committed = await settleHold(sandbox.url, hotel, { allocationId, how: 'commit' })
    expect([committed.status, committed.body['state']]).toEqual([200, 'committed'])
    const again = await settleHold(sandbox.url, hotel, { allocationId, how: 'commit' })
    expect(again.body['code']).toBe('MELMASTOON.INVENTORY.HOLD_SETTLED')
    expect(await readNights(environment, hotel.roomTypeIds[0])).toEqual([
      { night: hotel.day(5), capacity: 2, held: 0, sold: 1 },
      { night: hotel.day(6), capacity: 2, held: 0, sold: 1 },
    ])
    const events = await drainEvents(environment, 'melmastoon.inventory.%')
    const own = events.filter((event) => JSON.stringify(event).includes(hotel.propertyId))
    expect(own.map((event) => event.envelope.subject)).toEqual([
      'melmastoon.inventory.allocation.requested.v1',
      'melmastoon.inventory.allocation.committed.v1',
    ])
  })

  it('has one outcome when it is committed and released at once', async () => {
    await raceSettlements(environment, sandbox.url, 40)
    expect(await reconcile(environment)).toEqual([])
  })

  it('releases held or sold rooms', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { body: held } = await placeHold(sandbox.url, hotel)
    const { allocationId } = held
    await settleHold(sandbox.url, hotel, { allocationId, how: 'release' })
    const { body: next } = await placeHold(sandbox.url, hotel)
    const ref = { allocationId: next['allocationId'] }
    await settleHold(sandbox.url, hotel, { ...ref, how: 'commit' })
    const released = await settleHold(sandbox.url, hotel, { ...ref, how: 'release' })
    expect(released.body['state']).toBe('released')
    expect(await readNights(environment, hotel.roomTypeIds[0])).toMatchObject([
      { held: 0, sold: 0 },
    ])
  })

  it('can be extended at most twelve times', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { body } = await placeHold(sandbox.url, hotel)
    const { allocationId } = body
    const responses = []
    for (let i = 0; i < 13; i += 1) {
      responses.push(await settleHold(sandbox.url, hotel, { allocationId, how: 'extend' }))
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array(12).fill(200), 409])
    expect(responses[12]?.body['code']).toBe('MELMASTOON.INVENTORY.EXTENSION_REFUSED')
    expect(responses[11]?.body).toMatchObject({ extensions: 12, extensionsLeft: 0 })
  })

  it('after its expiry is neither committed nor extended, and its rooms are available', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { body } = await placeHold(sandbox.url, hotel)
    const { allocationId } = body
    await setExpiry(environment, [allocationId], -1)
    for (const how of ['commit', 'extend'] as const) {
      const rejected = await settleHold(sandbox.url, hotel, { allocationId, how })
      expect([rejected.status, rejected.body['code']]).toEqual([
        410,
        'MELMASTOON.INVENTORY.HOLD_EXPIRED',
      ])
    }
    const path = `/upstreams/inventory/api/v1/inventory/availability?propertyId=${hotel.propertyId}&from=${hotel.day(21)}&to=${hotel.day(22)}`
    const free = await send(sandbox.url, 'GET', path, { headers: serviceHeaders(hotel.tenantId) })
    expect(free.body['roomTypes']).toMatchObject([{ nights: [{ held: 0, available: 1 }] }])
    expect((await placeHold(sandbox.url, hotel)).status).toBe(201)
    const late = await send(
      sandbox.url,
      'GET',
      `/upstreams/inventory/api/v1/inventory/holds/${String(allocationId)}`,
      {
        headers: serviceHeaders(hotel.tenantId),
      },
    )
    expect(late.body['state']).toBe('expired')
  })

  it('takes all its room types or none', async () => {
    const hotel = await openHotel(environment, { rooms: [5, 1] })
    const [many, one] = hotel.roomTypeIds
    if (many === undefined || one === undefined) throw new TypeError('two room types')
    const items = [
      { roomTypeId: many, rooms: 2 },
      { roomTypeId: one, rooms: 2 },
      { roomTypeId: many, rooms: 1 },
    ]
    const rejected = await placeHold(sandbox.url, hotel, { items })
    expect(rejected.body['code']).toBe('MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY')
    expect(await readNights(environment, many)).toEqual([])
    const fits = items.map((item) => ({ ...item, rooms: 1 }))
    const placed = await placeHold(sandbox.url, hotel, { items: fits })
    expect(placed.body['items']).toEqual([
      { roomTypeId: many, rooms: 2 },
      { roomTypeId: one, rooms: 1 },
    ])
  })

  it('is rejected for invalid stays, unknown room types and other hotels', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const other = await openHotel(environment, { rooms: [1], tenantId: hotel.tenantId })
    const stays = [
      [hotel.day(3), hotel.day(3)],
      [hotel.day(3), hotel.day(2)],
      [hotel.day(0), hotel.day(93)],
      [hotel.day(-1), hotel.day(1)],
      [hotel.day(551), hotel.day(552)],
      ['2027-02-30', '2027-03-02'],
    ]
    for (const [checkIn, checkOut] of stays) {
      const rejected = await post(sandbox.url, hotel, '/inventory/holds', {
        json: {
          propertyId: hotel.propertyId,
          items: [{ roomTypeId: hotel.roomTypeIds[0], rooms: 1 }],
          stay: { checkIn, checkOut },
          holder: 'invalid',
        },
      })
      expect([rejected.status, rejected.body['code']], `${checkIn} ${checkOut}`).toEqual([
        422,
        'MELMASTOON.INVENTORY.STAY_INVALID',
      ])
    }
    const mixed = { ...hotel, roomTypeIds: other.roomTypeIds }
    const unknown = await placeHold(sandbox.url, mixed)
    expect(unknown.body['code']).toBe('MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND')
  })

  it('of another tenant does not exist', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    const { body } = await placeHold(sandbox.url, hotel)
    const stranger = { ...hotel, tenantId: newId('tnt') }
    const { allocationId } = body
    const moves = await Promise.all(
      (['commit', 'release', 'extend'] as const).map((how) =>
        settleHold(sandbox.url, stranger, { allocationId, how }),
      ),
    )
    expect(moves.map((move) => move.body['code'])).toEqual(
      Array(3).fill('MELMASTOON.INVENTORY.HOLD_NOT_FOUND'),
    )
    expect((await placeHold(sandbox.url, stranger)).status).toBe(404)
  })
})

describe('capacity', () => {
  const change = (hotel: Awaited<ReturnType<typeof openHotel>>, capacity: number, nights = 3) =>
    post(sandbox.url, hotel, `/inventory/room-types/${hotel.roomTypeIds[0]}/capacity`, {
      json: { from: hotel.day(20), to: hotel.day(20 + nights), capacity },
    })

  it('increases and decreases for some nights, never below the rooms held and sold', async () => {
    const hotel = await openHotel(environment, { rooms: [1] })
    expect((await change(hotel, 3)).status).toBe(200)
    const { body } = await placeHold(sandbox.url, hotel, { rooms: 3 })
    const rejected = await change(hotel, 2)
    expect([rejected.status, rejected.body['code']]).toEqual([
      409,
      'MELMASTOON.INVENTORY.BELOW_COMMITTED',
    ])
    await setExpiry(environment, [body['allocationId']], -1)
    expect((await change(hotel, 2)).status).toBe(200)
    expect((await placeHold(sandbox.url, hotel, { rooms: 3 })).status).toBe(409)
    const beyond = { stay: { checkIn: hotel.day(22), checkOut: hotel.day(24) }, rooms: 2 }
    expect((await placeHold(sandbox.url, hotel, beyond)).status).toBe(409)
    expect((await change({ ...hotel, roomTypeIds: [newId('rmt')] }, 2)).status).toBe(404)
  })
})

describe('a room number', () => {
  const assign = (hotel: Awaited<ReturnType<typeof openHotel>>, id: unknown, roomId: unknown) =>
    post(sandbox.url, hotel, `/inventory/allocations/${String(id)}/rooms`, { json: { roomId } })

  async function sell(hotel: Awaited<ReturnType<typeof openHotel>>, from: number, to: number) {
    const stay = { checkIn: hotel.day(from), checkOut: hotel.day(to) }
    const { body } = await placeHold(sandbox.url, hotel, { stay })
    const { allocationId } = body
    await settleHold(sandbox.url, hotel, { allocationId, how: 'commit' })
    return allocationId
  }

  it('is assigned to one party per night; the day of departure is available again', async () => {
    const hotel = await openHotel(environment, { rooms: [2] })
    const [room, other] = hotel.roomIds
    const first = await sell(hotel, 1, 4)
    const overlapping = await sell(hotel, 3, 6)
    const next = await sell(hotel, 4, 5)
    expect((await assign(hotel, first, room)).status).toBe(200)
    expect((await assign(hotel, first, room)).status).toBe(200)
    const taken = await assign(hotel, overlapping, room)
    expect([taken.status, taken.body['code']]).toEqual([409, 'MELMASTOON.INVENTORY.ROOM_TAKEN'])
    expect((await assign(hotel, next, room)).status).toBe(200)
    expect((await assign(hotel, overlapping, other)).status).toBe(200)
    const full = await assign(hotel, overlapping, room)
    expect(full.body['code']).toBe('MELMASTOON.INVENTORY.ROOMS_ASSIGNED')
    await settleHold(sandbox.url, hotel, { allocationId: first, how: 'release' })
    const again = await sell(hotel, 1, 3)
    expect((await assign(hotel, again, room)).status).toBe(200)
  })

  it('is assigned to one of many concurrent requests', async () => {
    const hotel = await openHotel(environment, { rooms: [8] })
    const sold = await Promise.all(hotel.roomIds.map(() => sell(hotel, 1, 3)))
    const responses = await Promise.all(sold.map((id) => assign(hotel, id, hotel.roomIds[0])))
    expect(tally(responses)).toEqual({ 200: 1, '409 INVENTORY.ROOM_TAKEN': 7 })
  })
})

it('the inventory is consistent after all tests', async () => {
  expect(await reconcile(environment)).toEqual([])
})
