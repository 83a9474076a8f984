import { newId } from '@melmastoon/domain'
import { eventually, expectValidEvents } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { openHouse, staff } from '../front-desk/front-desk.ts'
import type { Hotel } from '../no-oversell/hotel.ts'
import {
  contracts,
  drainEvents,
  type RunningSandbox,
  rejectionOf,
  type TestEnvironment,
} from '../start-sandbox.ts'
import { useSandbox } from '../use-sandbox.ts'
import { countOutcomes, once, roomClients, roomOf } from './staff-clients.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox
useSandbox((started) => ({ environment, sandbox } = started))

const CODE = 'MELMASTOON.MAINTENANCE.'
const maintenance = () => roomClients(sandbox).maintenance

const DEFECT = {
  category: 'plumbing',
  severity: 'high',
  title: 'The shower leaks',
  source: 'guest_complaint',
} as const

function create(hotel: Hotel, more: object = {}, scenario?: string) {
  const body = { ...DEFECT, roomId: roomOf(hotel), ...staff(), ...more }
  const client = roomClients(sandbox, scenario).maintenance
  return client.createWorkOrder({ params: { propertyId: hotel.propertyId }, body }, once(hotel))
}

type Ref = Pick<Awaited<ReturnType<typeof create>>, 'workOrderId'>

const assign = (hotel: Hotel, { workOrderId }: Ref, more: object = {}) => {
  const assignee = { kind: 'staff' as const, operatorId: newId('opr') }
  const body = { assignee, ...staff(), ...more }
  return maintenance().assign({ params: { workOrderId }, body }, once(hotel))
}

const finish = (hotel: Hotel, { workOrderId }: Ref, step: 'resolve' | 'verify') =>
  maintenance()[step]({ params: { workOrderId }, body: staff() }, once(hotel))

const isOutOfOrder = async (hotel: Hotel) => {
  const params = { roomId: roomOf(hotel) }
  const room = await roomClients(sandbox).housekeeping.getRoom({ params }, hotel)
  return { isBlocked: room.flags.includes('out_of_order'), kind: room.task?.kind }
}

describe('a work order', () => {
  it('is assigned, resolved and verified, and its history names every change', async () => {
    const hotel = await openHouse(environment, 1)
    const causationId = newId('int')
    const order = await create(hotel, { causationId })
    expect(order).toMatchObject({ status: 'open', version: 1, roomNumber: '1', blocksRoom: false })
    await assign(hotel, order, { expectedVersion: 1 })
    const resolved = await finish(hotel, order, 'resolve')
    expect(resolved).toMatchObject({ status: 'resolved', version: 3 })
    const verified = await finish(hotel, order, 'verify')
    expect(verified.history.map(({ status }) => status)).toEqual([
      'open',
      'assigned',
      'resolved',
      'verified',
    ])
    expect(verified.history[0]).toMatchObject({ causationId })
    const params = { propertyId: hotel.propertyId, causationId }
    const found = await maintenance().findByCausation({ params }, hotel)
    expect(found.workOrderId).toBe(order.workOrderId)
    const events = await drainEvents(environment, 'melmastoon.maintenance.%')
    expect(events.length).toBeGreaterThan(3)
    await expectValidEvents(environment.adminUrl, contracts)
    expect(JSON.stringify(events)).not.toContain(DEFECT.title)
  })

  it('rejects moves that its state, version or tenant does not allow', async () => {
    const [hotel, other] = [await openHouse(environment, 1), await openHouse(environment, 1)]
    const order = await create(hotel)
    expect(await rejectionOf(finish(hotel, order, 'verify'))).toBe(
      `${CODE}INVALID_STATUS_TRANSITION`,
    )
    const stale = assign(hotel, order, { expectedVersion: 7 })
    expect(await rejectionOf(stale)).toBe(`${CODE}VERSION_CONFLICT`)
    expect(await rejectionOf(assign(other, order))).toBe(`${CODE}WORK_ORDER_NOT_FOUND`)
    await finish(hotel, order, 'resolve')
    await finish(hotel, order, 'verify')
    expect(await rejectionOf(assign(hotel, order))).toBe(`${CODE}WORK_ORDER_TERMINAL`)
    const ofOther = create(hotel, { roomId: roomOf(other) })
    expect(await rejectionOf(ofOther)).toBe(`${CODE}ROOM_NOT_FOUND`)
    const nowhere = create(hotel, { roomId: undefined, blocksRoom: true })
    expect(await rejectionOf(nowhere)).toBe(`${CODE}ROOM_REQUIRED`)
  })

  it('is the only unresolved one of its room and category, also among concurrent requests', async () => {
    const hotel = await openHouse(environment, 1)
    const { accepted, codes } = await countOutcomes(Array.from({ length: 6 }, () => create(hotel)))
    expect(accepted).toBe(1)
    expect(codes).toEqual(new Set([`${CODE}DUPLICATE_OPEN_WORK_ORDER`]))
    const params = { propertyId: hotel.propertyId }
    const query = { roomId: roomOf(hotel), category: DEFECT.category }
    const { workOrder } = await maintenance().findOpen({ params, query }, hotel)
    if (workOrder === undefined) throw new TypeError('no open order')
    await finish(hotel, workOrder, 'resolve')
    const next = await create(hotel)
    expect(await rejectionOf(assign(hotel, workOrder))).toBe(`${CODE}DUPLICATE_OPEN_WORK_ORDER`)
    await finish(hotel, next, 'resolve')
    expect(await assign(hotel, workOrder)).toMatchObject({ status: 'assigned' })
  })

  it('control: orders of other categories pass together', async () => {
    const hotel = await openHouse(environment, 1)
    const categories = ['plumbing', 'electrical', 'hvac', 'lock', 'it', 'other'] as const
    const { accepted } = await countOutcomes(
      categories.map((category) => create(hotel, { category })),
    )
    expect(accepted).toBe(categories.length)
  })

  it('is assigned once of many attempts with the same version; control: without one by all', async () => {
    const hotel = await openHouse(environment, 1)
    const order = await create(hotel)
    const attempts = (more: object) => Array.from({ length: 6 }, () => assign(hotel, order, more))
    expect(await countOutcomes(attempts({ expectedVersion: 1 }))).toEqual({
      accepted: 1,
      codes: new Set([`${CODE}VERSION_CONFLICT`]),
    })
    expect(await countOutcomes(attempts({}))).toMatchObject({ accepted: 6 })
  })

  it('can be reported by someone else just before', async () => {
    const hotel = await openHouse(environment, 1)
    const created = create(hotel, {}, 'reported-by-another')
    expect(await rejectionOf(created)).toBe(`${CODE}DUPLICATE_OPEN_WORK_ORDER`)
  })
})

describe('a room with a blocking order', () => {
  it('is out of order until all of them are verified, then it needs cleaning', async () => {
    const hotel = await openHouse(environment, 1)
    const first = await create(hotel, { blocksRoom: true })
    const second = await create(hotel, { blocksRoom: true, category: 'electrical' })
    await eventually(async () => {
      expect(await isOutOfOrder(hotel)).toMatchObject({ isBlocked: true })
    })
    await finish(hotel, first, 'resolve')
    await finish(hotel, first, 'verify')
    await finish(hotel, second, 'resolve')
    await eventually(async () => {
      const rows = await environment.query(
        `select 1 from sandbox.outbox_published o join sandbox.inbox i on i.message_id = o.event_id
         where o.subject like '%work_order.verified.v1' and o.payload ->> 'workOrderId' = $1
           and i.processed_at is not null`,
        [first.workOrderId],
      )
      expect(rows).toHaveLength(1)
    })
    expect(await isOutOfOrder(hotel)).toEqual({ isBlocked: true, kind: undefined })
    await finish(hotel, second, 'verify')
    await eventually(async () => {
      expect(await isOutOfOrder(hotel)).toEqual({ isBlocked: false, kind: 'post_maintenance' })
    })
  })
})
