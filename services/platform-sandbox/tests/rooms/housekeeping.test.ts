import { idToUuid, newId } from '@melmastoon/domain'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import type { HousekeepingRoom } from '@melmastoon/upstream-contracts/housekeeping'
import { describe, expect, it } from 'vitest'
import { book, desk, openHouse, staff } from '../front-desk/front-desk.ts'
import type { Hotel } from '../no-oversell/hotel.ts'
import {
  contracts,
  type RunningSandbox,
  rejectionOf,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { countOutcomes, once, roomClients, roomOf } from './staff-clients.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const CODE = 'MELMASTOON.HOUSEKEEPING.'
const housekeeping = () => roomClients(sandbox).housekeeping

async function roomsOf(hotel: Hotel): Promise<readonly HousekeepingRoom[]> {
  const { propertyId } = hotel
  return (await housekeeping().listRooms({ params: { propertyId } }, hotel)).rooms
}

async function createTask(hotel: Hotel, kind: 'turnover' | 'mid_stay_clean' = 'turnover') {
  const body = { roomId: roomOf(hotel), kind, ...staff() }
  const params = { propertyId: hotel.propertyId }
  const { taskId } = await housekeeping().createTask({ params, body }, once(hotel))
  return { taskId }
}

const step = (
  hotel: Hotel,
  name: 'startTask' | 'completeTask' | 'inspectTask',
  more: object = {},
) => {
  return (params: { taskId: Awaited<ReturnType<typeof createTask>>['taskId'] }) =>
    housekeeping()[name]({ params, body: { ...staff(), ...more } }, once(hotel))
}

const setFlags = (hotel: Hotel, flags: ('dnd' | 'refused')[], expectedVersion?: number) => {
  const version = expectedVersion === undefined ? {} : { expectedVersion }
  const body = { flags, ...version, ...staff() }
  return housekeeping().setRoomFlags({ params: { roomId: roomOf(hotel) }, body }, once(hotel))
}

describe('a housekeeping task', () => {
  it('takes the room from dirty to inspected, and its history names every change', async () => {
    const hotel = await openHouse(environment, 2)
    const params = { roomId: roomOf(hotel) }
    const dirty = { condition: 'dirty' as const, ...staff() }
    await housekeeping().setRoomCondition({ params, body: dirty }, once(hotel))
    const task = await createTask(hotel)
    expect((await roomsOf(hotel))[0]).toMatchObject({
      condition: 'dirty',
      occupancy: 'vacant',
      task: { taskId: task.taskId, status: 'pending', version: 1 },
    })
    await step(hotel, 'startTask')(task)
    expect((await roomsOf(hotel))[0]).toMatchObject({ condition: 'cleaning' })
    await step(hotel, 'completeTask')(task)
    expect((await roomsOf(hotel))[0]).toMatchObject({
      condition: 'clean',
      task: { status: 'completed' },
    })
    const causationId = newId('int')
    const done = await step(hotel, 'inspectTask', { causationId })(task)
    expect(done.history.map(({ status }) => status)).toEqual([
      'pending',
      'in_progress',
      'completed',
      'inspected',
    ])
    expect(done.history.at(-1)).toMatchObject({ version: 4, causationId })
    const room = await housekeeping().getRoom({ params }, hotel)
    expect(room).toMatchObject({ condition: 'inspected', version: 5 })
    expect(room.task).toBeUndefined()
    expect(room.history.map(({ status }) => status)).toEqual([
      'clean',
      'dirty',
      'cleaning',
      'clean',
      'inspected',
    ])
    await expectValidEvents(environment.adminUrl, contracts)
  })

  it('rejects steps out of order, stale versions and foreign ids', async () => {
    const hotel = await openHouse(environment, 1)
    const task = await createTask(hotel)
    const other = await openHouse(environment, 1)
    expect(await rejectionOf(step(hotel, 'completeTask')(task))).toBe(`${CODE}ROOM_STATE_CONFLICT`)
    const stale = step(hotel, 'startTask', { expectedVersion: 2 })
    expect(await rejectionOf(stale(task))).toBe(`${CODE}VERSION_CONFLICT`)
    expect(await rejectionOf(step(other, 'startTask')(task))).toBe(`${CODE}TASK_NOT_FOUND`)
    expect(await rejectionOf(createTask(hotel))).toBe(`${CODE}ROOM_STATE_CONFLICT`)
    const params = { propertyId: hotel.propertyId }
    const foreign = { roomId: roomOf(other), kind: 'turnover' as const, ...staff() }
    const created = housekeeping().createTask({ params, body: foreign }, once(hotel))
    expect(await rejectionOf(created)).toBe(`${CODE}ROOM_NOT_FOUND`)
    const listed = housekeeping().listRooms({ params }, other)
    expect(await rejectionOf(listed)).toBe('MELMASTOON.PROPERTY.NOT_FOUND')
  })

  it('is started once of many attempts with the same version', async () => {
    const hotel = await openHouse(environment, 1)
    const task = await createTask(hotel)
    const starts = Array.from({ length: 8 }, () =>
      step(hotel, 'startTask', { expectedVersion: 1 })(task),
    )
    const { accepted, codes } = await countOutcomes(starts)
    expect(accepted).toBe(1)
    expect(codes).toEqual(new Set([`${CODE}VERSION_CONFLICT`]))
  })

  it('does not disturb guests, and conflicts when another request changed it just before', async () => {
    const hotel = await openHouse(environment, 1)
    const task = await createTask(hotel, 'mid_stay_clean')
    await setFlags(hotel, ['dnd'])
    await environment.query(
      `update sandbox.housekeeping_room set occupied_by = $1, occupied_on = current_date
       where room_id = $2`,
      [idToUuid(newId('rsv')), idToUuid(roomOf(hotel))],
    )
    expect(await rejectionOf(step(hotel, 'startTask')(task))).toBe(`${CODE}ROOM_STATE_CONFLICT`)
    await setFlags(hotel, [])
    const client = roomClients(sandbox, 'changed-by-another').housekeeping
    const body = { expectedVersion: 1, ...staff() }
    const start = client.startTask({ params: task, body }, once(hotel))
    expect(await rejectionOf(start)).toBe(`${CODE}VERSION_CONFLICT`)
    const { version, status } = await housekeeping().getTask({ params: task }, hotel)
    expect({ version, status }).toEqual({ version: 2, status: 'pending' })
  })

  it('is listed in pages, by status', async () => {
    const hotel = await openHouse(environment, 3)
    const params = { propertyId: hotel.propertyId }
    for (const roomId of hotel.roomIds) {
      const body = { roomId, kind: 'turnover' as const, ...staff() }
      await housekeeping().createTask({ params, body }, once(hotel))
    }
    const first = await housekeeping().listTasks({ params, query: { limit: 2 } }, hotel)
    const cursor = first.nextCursor
    if (cursor === undefined) throw new TypeError('no second page')
    const second = await housekeeping().listTasks({ params, query: { cursor } }, hotel)
    expect([...first.tasks, ...second.tasks].map(({ roomNumber }) => roomNumber)).toEqual([
      '1',
      '2',
      '3',
    ])
    expect(second.nextCursor).toBeUndefined()
    const query = { status: 'completed' as const }
    expect((await housekeeping().listTasks({ params, query }, hotel)).tasks).toEqual([])
  })
})

describe('the version of a room', () => {
  it('lets one of many concurrent changes pass', async () => {
    const hotel = await openHouse(environment, 1)
    const changes = Array.from({ length: 8 }, () => setFlags(hotel, ['dnd'], 1))
    const { accepted, codes } = await countOutcomes(changes)
    expect(accepted).toBe(1)
    expect(codes).toEqual(new Set([`${CODE}VERSION_CONFLICT`]))
    const room = await housekeeping().getRoom({ params: { roomId: roomOf(hotel) } }, hotel)
    expect(room.version).toBe(2)
  })

  it('control: without an expected version all of them pass', async () => {
    const hotel = await openHouse(environment, 1)
    const { accepted } = await countOutcomes(
      Array.from({ length: 8 }, () => setFlags(hotel, ['dnd'])),
    )
    expect(accepted).toBe(8)
    const room = await housekeeping().getRoom({ params: { roomId: roomOf(hotel) } }, hotel)
    expect(room.version).toBe(9)
    expect(room.history).toHaveLength(9)
  })
})

describe('guests', () => {
  it('occupy their room, and leave it dirty with a turnover task', async () => {
    const hotel = await openHouse(environment, 1)
    const stay = { checkIn: hotel.day(0), checkOut: hotel.day(1) }
    const reservationId = await book(environment, sandbox, { hotel, stay })
    const { reservation } = desk(sandbox)
    const roomIds = [roomOf(hotel)]
    const arrive = { params: { reservationId }, body: { roomIds, ...staff() } }
    await reservation.checkIn(arrive, once(hotel))
    await eventually(async () => {
      expect((await roomsOf(hotel))[0]).toMatchObject({ occupancy: 'occupied' })
    })
    const midStay = await createTask(hotel, 'mid_stay_clean')
    await setFlags(hotel, ['dnd'])
    await reservation.checkOut({ params: { reservationId }, body: staff() }, once(hotel))
    const room = await eventually(async () => {
      const [left] = await roomsOf(hotel)
      expect(left).toMatchObject({ condition: 'dirty', flags: [], task: { kind: 'turnover' } })
      return left
    })
    expect(room?.occupancy).not.toBe('occupied')
    const cancelled = await housekeeping().getTask({ params: midStay }, hotel)
    expect(cancelled.status).toBe('cancelled')
    const taskId = room?.task?.taskId
    if (taskId === undefined) throw new TypeError('no task')
    const turnover = await housekeeping().getTask({ params: { taskId } }, hotel)
    expect(turnover).toMatchObject({ reservationId, source: 'event', roomNumber: '1' })
  })

  it('are expected in a room that is reserved for today', async () => {
    const hotel = await openHouse(environment, 1)
    const stay = { checkIn: hotel.day(0), checkOut: hotel.day(2) }
    const reservationId = await book(environment, sandbox, { hotel, stay })
    const body = { roomIds: [roomOf(hotel)], ...staff() }
    await desk(sandbox).reservation.assignRooms({ params: { reservationId }, body }, once(hotel))
    expect((await roomsOf(hotel))[0]).toMatchObject({ occupancy: 'reserved', condition: 'clean' })
  })
})

describe('a dirty room', () => {
  it('receives no guests until it is clean', async () => {
    const hotel = await openHouse(environment, 1)
    const stay = { checkIn: hotel.day(0), checkOut: hotel.day(1) }
    const reservationId = await book(environment, sandbox, { hotel, stay })
    const params = { roomId: roomOf(hotel) }
    const mark = (condition: 'dirty' | 'clean') =>
      housekeeping().setRoomCondition({ params, body: { condition, ...staff() } }, once(hotel))
    const arrive = () => {
      const body = { roomIds: [roomOf(hotel)], ...staff() }
      return desk(sandbox).reservation.checkIn({ params: { reservationId }, body }, once(hotel))
    }
    await mark('dirty')
    expect(await rejectionOf(arrive())).toBe('MELMASTOON.RESERVATION.ROOM_NOT_READY')
    await mark('clean')
    expect(await arrive()).toMatchObject({ rooms: [params] })
  })
})
