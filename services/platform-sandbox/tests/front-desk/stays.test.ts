import { type IsoDate, idToUuid, newId, type ReservationId, type RoomId } from '@melmastoon/domain'
import { expectValidEvents } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { type Hotel, readNights, reconcile } from '../no-oversell/hotel.ts'
import { GUEST } from '../no-oversell/quote.ts'
import { startBehindLock } from '../start-behind-lock.ts'
import {
  contracts,
  drainEvents,
  type RunningSandbox,
  rejectionOf,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { book, cleanRoom, desk, dirtyRoom, openHouse, staff } from './front-desk.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const CODE = 'MELMASTOON.RESERVATION.'
const roomOf = ({ roomIds }: Hotel, index: number): RoomId => roomIds[index] ?? newId('rmu')
const tonight = (hotel: Hotel) => ({ checkIn: hotel.day(0), checkOut: hotel.day(2) })

async function listed(hotel: Hotel, view: 'arrivals' | 'departures' | 'in_house', offset = 0) {
  const params = { propertyId: hotel.propertyId }
  const query = { view, date: hotel.day(offset) }
  const { stays } = await desk(sandbox).reservation.listForDay({ params, query }, hotel)
  return stays.map(({ reservationId }) => reservationId)
}

const checkIn = (hotel: Hotel, reservationId: ReservationId, more: object = {}) =>
  desk(sandbox).reservation.checkIn(
    { params: { reservationId }, body: { ...staff(), ...more } },
    { tenantId: hotel.tenantId, idempotencyKey: newId('req') },
  )

const checkOut = (hotel: Hotel, reservationId: ReservationId) =>
  desk(sandbox).reservation.checkOut(
    { params: { reservationId }, body: staff() },
    { tenantId: hotel.tenantId, idempotencyKey: newId('req') },
  )

describe('a booked stay', () => {
  it('is on the lists of its days, checked in with a room, and checked out', async () => {
    const hotel = await openHouse(environment, 2)
    const reservationId = await book(environment, sandbox, { hotel, stay: tonight(hotel) })
    expect(await listed(hotel, 'arrivals')).toEqual([reservationId])
    expect(await listed(hotel, 'departures', 2)).toEqual([reservationId])
    expect(await listed(hotel, 'in_house')).toEqual([])
    const body = { roomIds: [roomOf(hotel, 1)], expectedVersion: 2 }
    const arrived = await checkIn(hotel, reservationId, body)
    expect(arrived).toMatchObject({
      status: 'checked_in',
      version: 3,
      rooms: [{ roomId: roomOf(hotel, 1), number: '2' }],
      guest: { fullName: GUEST.fullName, phone: GUEST.phone, locale: 'ps-AF' },
      party: { adults: 2, children: 0 },
      flags: ['special_requests'],
    })
    expect(arrived.history.at(-1)).toMatchObject({ causationId: expect.stringMatching(/^int_/) })
    expect(await listed(hotel, 'in_house')).toEqual([reservationId])
    const left = await checkOut(hotel, reservationId)
    expect(left).toMatchObject({ status: 'checked_out', version: 4 })
    expect(await listed(hotel, 'in_house')).toEqual([])
    expect(await reconcile(environment)).toEqual([])
    const nights = await readNights(environment, hotel.roomTypeIds[0])
    expect(nights.map(({ sold }) => sold)).toEqual([1, 1])
  })

  it('frees its room on an early departure, for the next guest', async () => {
    const hotel = await openHouse(environment, 2)
    const stay = tonight(hotel)
    const first = await book(environment, sandbox, { hotel, stay })
    const second = await book(environment, sandbox, { hotel, stay })
    const roomIds = [roomOf(hotel, 0)]
    await checkIn(hotel, first, { roomIds })
    const taken = checkIn(hotel, second, { roomIds })
    expect(await rejectionOf(taken)).toBe(`${CODE}ROOM_NOT_AVAILABLE`)
    await checkOut(hotel, first)
    const { params } = await dirtyRoom(sandbox, hotel, roomOf(hotel, 0))
    expect(await rejectionOf(checkIn(hotel, second, { roomIds }))).toBe(`${CODE}ROOM_NOT_READY`)
    await cleanRoom(sandbox, hotel, params.roomId)
    expect(await checkIn(hotel, second, { roomIds })).toMatchObject({ status: 'checked_in' })
  })

  it('waits for guests who should have left', async () => {
    const hotel = await openHouse(environment, 2)
    const before = await book(environment, sandbox, {
      hotel,
      stay: { checkIn: hotel.day(0), checkOut: hotel.day(1) },
    })
    const roomIds = [roomOf(hotel, 0)]
    await checkIn(hotel, before, { roomIds })
    await shiftStay(before, -1)
    const next = await book(environment, sandbox, { hotel, stay: tonight(hotel) })
    expect(await listed(hotel, 'departures')).toEqual([before])
    const params = { reservationId: next }
    const { rooms } = await desk(sandbox).reservation.availableRooms({ params }, hotel)
    expect(rooms.map(({ number, isReady }) => [number, isReady])).toEqual([
      ['1', false],
      ['2', true],
    ])
    expect(await rejectionOf(checkIn(hotel, next, { roomIds }))).toBe(`${CODE}ROOM_NOT_READY`)
    await checkOut(hotel, before)
    await cleanRoom(sandbox, hotel, roomOf(hotel, 0))
    expect(await checkIn(hotel, next, { roomIds })).toMatchObject({ status: 'checked_in' })
  })

  it('is rejected in the wrong state, on the wrong day, with the wrong rooms or version', async () => {
    const hotel = await openHouse(environment, 3)
    const today = await book(environment, sandbox, { hotel, stay: tonight(hotel) })
    const stay = { checkIn: hotel.day(1), checkOut: hotel.day(2) }
    const tomorrow = await book(environment, sandbox, { hotel, stay })
    const roomIds = [roomOf(hotel, 0)]
    const rejections = [
      [() => checkIn(hotel, tomorrow, { roomIds }), 'ILLEGAL_TRANSITION'],
      [() => checkIn(hotel, today), 'ROOMS_MISMATCH'],
      [() => checkIn(hotel, today, { roomIds: [newId('rmu')] }), 'ROOMS_MISMATCH'],
      [() => checkIn(hotel, today, { roomIds: hotel.roomIds.slice(0, 2) }), 'ROOMS_MISMATCH'],
      [() => checkIn(hotel, today, { roomIds, expectedVersion: 1 }), 'VERSION_CONFLICT'],
      [() => checkOut(hotel, today), 'ILLEGAL_TRANSITION'],
      [() => checkIn(hotel, newId('rsv'), { roomIds }), 'NOT_FOUND'],
      [() => checkIn({ ...hotel, tenantId: newId('tnt') }, today, { roomIds }), 'NOT_FOUND'],
    ] as const
    for (const [call, code] of rejections) expect(await rejectionOf(call())).toBe(CODE + code)
    expect(await listed(hotel, 'arrivals')).toEqual([today])
  })

  it('moves to another room, and back', async () => {
    const hotel = await openHouse(environment, 2)
    const reservationId = await book(environment, sandbox, { hotel, stay: tonight(hotel) })
    const assign = (index: number) =>
      desk(sandbox).reservation.assignRooms(
        { params: { reservationId }, body: { roomIds: [roomOf(hotel, index)], ...staff() } },
        { tenantId: hotel.tenantId, idempotencyKey: newId('req') },
      )
    for (const index of [0, 1, 0]) {
      const { rooms, status } = await assign(index)
      expect([rooms[0]?.roomId, status]).toEqual([roomOf(hotel, index), 'confirmed'])
    }
    await checkIn(hotel, reservationId)
    expect(await assign(1)).toMatchObject({ status: 'checked_in', version: 7 })
    const events = await drainEvents(environment, '%reservation.room_assigned%')
    const own = events.filter(({ envelope }) => envelope.tenantId === hotel.tenantId)
    expect(own.at(-1)?.payload).toMatchObject({
      roomIds: [roomOf(hotel, 1)],
      priorRoomIds: [roomOf(hotel, 0)],
    })
    expect((await expectValidEvents(environment.adminUrl, contracts)).length).toBeGreaterThan(5)
  })

  it('that does not arrive frees its room, and stays sold', async () => {
    const hotel = await openHouse(environment, 1)
    const reservationId = await book(environment, sandbox, { hotel, stay: tonight(hotel) })
    const body = { roomIds: [roomOf(hotel, 0)], ...staff() }
    const call = { tenantId: hotel.tenantId, idempotencyKey: newId('req') }
    const { reservation } = desk(sandbox)
    await reservation.assignRooms({ params: { reservationId }, body }, call)
    const absent = await reservation.markNoShow(
      { params: { reservationId }, body: staff() },
      { ...call, idempotencyKey: newId('req') },
    )
    expect(absent).toMatchObject({ status: 'no_show', rooms: [] })
    expect(await reconcile(environment)).toEqual([])
    const { nights } = await reservation.occupancy(
      {
        params: { propertyId: hotel.propertyId },
        query: { from: hotel.day(-1), to: hotel.day(3) },
      },
      hotel,
    )
    expect(nights.map(({ sold }) => sold)).toEqual([0, 1, 1, 0])
    expect(nights[1]).toMatchObject({ rooms: 1, arrivals: 0 })
  })

  it('follows the scenarios of the front desk', async () => {
    const hotel = await openHouse(environment, 1)
    const reservationId = await book(environment, sandbox, { hotel, stay: tonight(hotel) })
    const body = { roomIds: [...hotel.roomIds], ...staff() }
    for (const [scenario, code] of [
      ['room-not-ready', 'ROOM_NOT_READY'],
      ['version-conflict', 'VERSION_CONFLICT'],
    ] as const) {
      const call = { tenantId: hotel.tenantId, idempotencyKey: newId('req') }
      const client = desk(sandbox, scenario).reservation
      const rejected = client.checkIn({ params: { reservationId }, body }, call)
      expect(await rejectionOf(rejected)).toBe(CODE + code)
    }
  })
})

describe('the lists of a day', () => {
  it('have pages, and no rows of other hotels or tenants', async () => {
    const hotel = await openHouse(environment, 3)
    const ids: ReservationId[] = []
    for (const stay of [tonight(hotel), tonight(hotel), tonight(hotel)]) {
      ids.push(await book(environment, sandbox, { hotel, stay }))
    }
    const { reservation } = desk(sandbox)
    const params = { propertyId: hotel.propertyId }
    const query = { view: 'arrivals', date: hotel.day(0), limit: 2 } as const
    const first = await reservation.listForDay({ params, query }, hotel)
    const { nextCursor: cursor } = first
    if (cursor === undefined) throw new Error('expected a second page')
    const second = await reservation.listForDay({ params, query: { ...query, cursor } }, hotel)
    const found = [...first.stays, ...second.stays].map(({ reservationId }) => reservationId)
    expect(found).toEqual(ids.toSorted())
    expect(second.nextCursor).toBeUndefined()
    const elsewhere = { ...hotel, tenantId: newId('tnt') }
    const other = reservation.listForDay({ params, query }, elsewhere)
    expect(await rejectionOf(other)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('reject dates that do not exist, and more than 366 nights', async () => {
    const hotel = await openHouse(environment, 1)
    const { reservation } = desk(sandbox)
    const params = { propertyId: hotel.propertyId }
    const date = '2026-02-30' as IsoDate
    const listing = reservation.listForDay({ params, query: { view: 'in_house', date } }, hotel)
    expect(await rejectionOf(listing)).toBe(`${CODE}DATES_INVALID`)
    const query = { from: hotel.day(0), to: hotel.day(367) }
    const occupancy = reservation.occupancy({ params, query }, hotel)
    expect(await rejectionOf(occupancy)).toBe(`${CODE}DATES_INVALID`)
  })
})

/** Moves a stay in time, in all tables that know its dates. */
async function shiftStay(reservationId: ReservationId, days: number): Promise<void> {
  await environment.query(
    `with moved as (
       update sandbox.reservation_booking
       set check_in = check_in + $2::int, check_out = check_out + $2::int
       where reservation_id = $1
       returning tenant_id, allocation_id)
     update sandbox.inventory_room_stay s
     set stay = daterange(lower(s.stay) + $2::int, upper(s.stay) + $2::int)
     from moved m where s.tenant_id = m.tenant_id and s.allocation_id = m.allocation_id`,
    [idToUuid(reservationId), days],
  )
}

/** Two check-ins into room 1 that have both chosen it before either has finished. */
async function checkInBoth(hotel: Hotel): Promise<string[]> {
  const stays = [tonight(hotel), tonight(hotel)]
  const ids: ReservationId[] = []
  for (const stay of stays) ids.push(await book(environment, sandbox, { hotel, stay }))
  const uuids = ids.map((id) => `'${idToUuid(id)}'`).join(', ')
  const lock = `select from sandbox.reservation_booking where reservation_id in (${uuids})
    for update`
  const roomIds = [roomOf(hotel, 0)]
  const calls = await startBehindLock(environment, { lock, waiting: 2 }, () =>
    ids.map((id) => checkIn(hotel, id, { roomIds })),
  )
  const outcomes = await Promise.allSettled(calls)
  return await Promise.all(
    outcomes.map(async (outcome) =>
      outcome.status === 'fulfilled'
        ? outcome.value.status
        : String(await rejectionOf(Promise.reject(outcome.reason))),
    ),
  )
}

describe('two check-ins of one room', () => {
  it('have one winner', async () => {
    const outcomes = await checkInBoth(await openHouse(environment, 2))
    expect(outcomes.toSorted()).toEqual([`${CODE}ROOM_NOT_AVAILABLE`, 'checked_in'])
  })

  it('control: without the exclusion constraint both succeed', async () => {
    await environment.query(
      'alter table sandbox.inventory_room_stay drop constraint ex_inventory_room_stay',
    )
    const outcomes = await checkInBoth(await openHouse(environment, 2))
    expect(outcomes).toEqual(['checked_in', 'checked_in'])
  })
})
