import { idToUuid, newId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Hotel,
  openHotel,
  placeHold,
  post,
  readNights,
  reconcile,
  settleHold,
  tally,
} from '../no-oversell/hotel.ts'
import {
  type RunningSandbox,
  sandboxEnvironment,
  send,
  serviceHeaders,
  startSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox

beforeAll(async () => {
  environment = await sandboxEnvironment()
  sandbox = await startSandbox(environment)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

/** Three rooms: one left today, none tomorrow, all later. */
const openSoldElsewhere = () => openHotel(environment, { rooms: [3], channelSold: [2, 3] })

const nightOf = (hotel: Hotel, offset: number) => ({
  checkIn: hotel.day(offset),
  checkOut: hotel.day(offset + 1),
})

async function readAvailable(hotel: Hotel): Promise<number[]> {
  const { propertyId, tenantId } = hotel
  const query = new URLSearchParams({ propertyId, from: hotel.day(0), to: hotel.day(3) })
  const path = `/upstreams/inventory/api/v1/inventory/availability?${query.toString()}`
  const { body } = await send(sandbox.url, 'GET', path, { headers: serviceHeaders(tenantId) })
  const [type] = body['roomTypes'] as { nights: { available: number }[] }[]
  return type?.nights.map(({ available }) => available) ?? []
}

async function changeCapacity(hotel: Hotel, capacity: number) {
  const [roomTypeId] = hotel.roomTypeIds
  return await post(sandbox.url, hotel, `/inventory/room-types/${roomTypeId}/capacity`, {
    json: { from: hotel.day(0), to: hotel.day(1), capacity },
  })
}

describe('rooms that other channels have sold (C22)', () => {
  it('are not available, before and after a night has a row of its own', async () => {
    const hotel = await openSoldElsewhere()
    expect(await readAvailable(hotel)).toEqual([1, 0, 3])
    const { status, body } = await placeHold(sandbox.url, hotel, { stay: nightOf(hotel, 0) })
    expect([status, await readAvailable(hotel)]).toEqual([201, [0, 0, 3]])
    const { allocationId } = body
    await settleHold(sandbox.url, hotel, { allocationId, how: 'release' })
    expect(await readAvailable(hotel)).toEqual([1, 0, 3])
    expect(await readNights(environment, hotel.roomTypeIds[0])).toEqual([
      { night: hotel.day(0), capacity: 3, held: 0, sold: 2 },
    ])
    expect(await reconcile(environment)).toEqual([])
  })

  it('cannot be held, also not as part of a longer stay', async () => {
    const hotel = await openSoldElsewhere()
    const stays = [nightOf(hotel, 1), { checkIn: hotel.day(0), checkOut: hotel.day(3) }]
    const responses = [
      await placeHold(sandbox.url, hotel, { stay: nightOf(hotel, 0), rooms: 2 }),
      ...(await Promise.all(stays.map((stay) => placeHold(sandbox.url, hotel, { stay })))),
    ]
    expect(tally(responses)).toEqual({ '409 INVENTORY.INSUFFICIENT_AVAILABILITY': 3 })
    expect(await readNights(environment, hotel.roomTypeIds[0])).toEqual([])
  })

  it('are counted once when the first holds of a night are concurrent', async () => {
    const hotel = await openHotel(environment, { rooms: [8], channelSold: [3] })
    const hold = () => placeHold(sandbox.url, hotel, { stay: nightOf(hotel, 0) })
    const responses = await Promise.all(Array.from({ length: 20 }, hold))
    expect(tally(responses)).toEqual({ '201': 5, '409 INVENTORY.INSUFFICIENT_AVAILABILITY': 15 })
    expect(await reconcile(environment)).toEqual([])
  })

  it('limit the capacity of a night from below', async () => {
    const hotel = await openSoldElsewhere()
    const rejected = await changeCapacity(hotel, 1)
    expect(rejected.body['code']).toBe('MELMASTOON.INVENTORY.BELOW_COMMITTED')
    expect((await changeCapacity(hotel, 4)).status).toBe(200)
    expect(await readAvailable(hotel)).toEqual([2, 0, 3])
    expect((await changeCapacity(hotel, 2)).status).toBe(200)
    expect(await readAvailable(hotel)).toEqual([0, 0, 3])
    expect(await reconcile(environment)).toEqual([])
  })

  it('control: a row that forgets them is reported', async () => {
    const hotel = await openSoldElsewhere()
    await placeHold(sandbox.url, hotel, { stay: nightOf(hotel, 0) })
    await environment.query(
      `update sandbox.inventory_night set sold = sold - channel where room_type_id = $1`,
      [idToUuid(hotel.roomTypeIds[0] ?? newId('rmt'))],
    )
    expect(await reconcile(environment)).toMatchObject([{ kind: 'night', expected: '1+2' }])
  })
})
