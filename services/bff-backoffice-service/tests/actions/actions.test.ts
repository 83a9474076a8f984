import { newId, parseId } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, OTHER_SLUG, startWithSandbox } from '../harness/start-backoffice.ts'
import { type Attempt, offeredFor, walkRooms } from './room-walk.ts'

interface Row {
  readonly id: string
  readonly version: number
  readonly status: string
  readonly readiness: string
  readonly folioId?: string
  readonly balance?: { readonly currency: string }
  readonly condition: string
  readonly occupancy: string
  readonly task?: { readonly taskId: string; readonly status: string; readonly version: number }
}

let office: Backoffice
let desk: Staff
let lead: Staff
let technician: Staff
let manager: Staff
let propertyId: string

beforeAll(async () => {
  office = await startWithSandbox()
  ;[desk, lead, technician, manager] = await Promise.all([
    signIn(office, 'desk'),
    signIn(office, 'housekeeping-lead'),
    signIn(office, 'technician'),
    signIn(office, 'manager'),
  ])
  propertyId = await desk.propertyId()
})
afterAll(() => office[Symbol.asyncDispose]())

const rows = async (board: string): Promise<readonly Row[]> => {
  const { body } = await desk.read<{ rows: Row[] }>(`/${board}?propertyId=${propertyId}`)
  return body.rows
}

const found = <T>(values: readonly T[], matches: (value: T) => boolean): T => {
  const value = values.find(matches)
  if (value === undefined) throw new Error('the demo world has none')
  return value
}

interface LedgerRow {
  readonly action: string
  readonly outcome: string
  readonly property_id: string | null
}

const ledgerOf = (resourceId: string) => {
  const { environment } = office
  return environment.query<LedgerRow>(
    `select action, outcome, property_id from ${environment.schema}.operator_activity
     where resource_id = $1 order by id`,
    [resourceId],
  )
}

const anyTask = (status: string) => async () =>
  found(
    (await rows('housekeeping')).map(({ task }) => task),
    (task) => task?.status === status,
  )

describe('the desk', () => {
  it('checks guests in once, and out', async () => {
    const stay = found(
      await rows('arrivals'),
      ({ readiness, status }) => readiness === 'ready' && status === 'confirmed',
    )
    const path = `/reservations/${stay.id}/check-in`
    const idempotencyKey = newId('req')
    const body = { expectedVersion: stay.version }
    const first = await desk.post(path, body, { idempotencyKey })
    expect([first.status, first.body['status']]).toEqual([200, 'checked_in'])
    const repeated = await desk.post(path, body, { idempotencyKey })
    expect([repeated.status, repeated.body]).toEqual([200, first.body])
    const other = await desk.post(path, body)
    expect([other.status, other.body['code']]).toEqual([
      409,
      'MELMASTOON.RESERVATION.VERSION_CONFLICT',
    ])
    const out = await desk.post(`/reservations/${stay.id}/check-out`, {})
    expect([out.status, out.body['status']]).toEqual([200, 'checked_out'])
    const ledger = await ledgerOf(stay.id)
    expect(ledger.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
      'reservation.check_in success',
      'reservation.check_in failure',
      'reservation.check_out success',
    ])
    expect(ledger.every(({ property_id }) => property_id !== null)).toBe(true)
  })

  it('posts a charge, and over the limit with a second factor only', async () => {
    const { folioId = '', balance } = found(await rows('in-house'), (row) => 'balance' in row)
    const post = (amount: number, more = {}) =>
      desk.post(`/folios/${folioId}/charges`, {
        amount: { amount, currency: balance?.currency },
        category: 'laundry',
        description: 'Two shirts',
        ...more,
      })
    expect((await post(500)).status).toBe(201)
    const rejected = await post(900_000_000)
    expect([rejected.status, rejected.body['code']]).toEqual([
      403,
      'MELMASTOON.SECURITY.STEP_UP_REQUIRED',
    ])
    const purpose = rejected.body['stepUp'] as object
    const confirmed = await desk.post('/auth/mfa/step-up', {
      ...purpose,
      factor: 'totp',
      code: desk.totp(),
    })
    expect(confirmed.status).toBe(201)
    const { attestationId } = confirmed.body
    expect((await post(900_000_000, { attestationId })).status).toBe(201)
    expect((await post(900_000_000, { attestationId })).status).toBe(403)
  })
})

describe('housekeeping', () => {
  it('starts, completes and inspects a task', async () => {
    const task = found(
      await rows('housekeeping'),
      (row) => row.task?.status === 'pending' && row.occupancy === 'vacant',
    ).task
    const statuses: unknown[] = []
    for (const move of ['start', 'complete', 'inspect']) {
      const { status, body } = await lead.post(`/housekeeping/tasks/${task?.taskId}/${move}`, {})
      statuses.push(status, body['status'])
    }
    expect(statuses).toEqual([200, 'in_progress', 200, 'completed', 200, 'inspected'])
  })

  it('offers an action on a task exactly when the upstream accepts it', async () => {
    const keeper = await signIn(office, 'manager', { slug: OTHER_SLUG })
    const [tenantId, hotelId] = [keeper.tokens.tenantId, await keeper.propertyId()]
    const hotel = { tenantId: parseId('tnt', tenantId), propertyId: parseId('ppt', hotelId) }
    const attempts = await walkRooms(office.service.ctx, hotel)
    const wrong = attempts.filter(({ isOffered, isAccepted }) => isOffered !== isAccepted)
    expect(wrong).toEqual([])
    // The control: a board that does not know who is in a room offers what is rejected.
    const isMisled = ({ room, action, isAccepted }: Attempt) =>
      offeredFor({ ...room, occupancy: 'vacant' }).includes(action) && !isAccepted
    const misled = attempts.filter(isMisled).map(({ room }) => room)
    const isDnd = ({ flags, task }: (typeof misled)[number]) =>
      task?.kind !== 'turnover' && flags.includes('dnd')
    expect(misled.some(({ task }) => task?.kind === 'turnover')).toBe(true)
    expect(misled.some(isDnd)).toBe(true)
    const accepted = attempts.filter(({ isAccepted }) => isAccepted)
    expect(new Set(accepted.map(({ action }) => action)).size).toBe(3)
  })

  it('rejects a version that is not current, and a role that may not', async () => {
    const task = await anyTask('pending')()
    const path = `/housekeeping/tasks/${task?.taskId}/start`
    const stale = await lead.post(path, { expectedVersion: 99 })
    expect([stale.status, stale.body['code']]).toEqual([
      409,
      'MELMASTOON.HOUSEKEEPING.VERSION_CONFLICT',
    ])
    expect((await desk.post(path, {})).status).toBe(403)
  })
})

describe('maintenance', () => {
  it('creates, assigns, resolves and verifies a work order', async () => {
    const { id: roomId } = found(
      await rows('housekeeping'),
      ({ occupancy }) => occupancy === 'vacant',
    )
    const order = { propertyId, roomId, category: 'it', severity: 'low', title: 'No network' }
    const created = await desk.post('/maintenance/work-orders', order)
    expect([created.status, created.body['status']]).toEqual([201, 'open'])
    const again = await desk.post('/maintenance/work-orders', order)
    expect([again.status, again.body['code']]).toEqual([
      409,
      'MELMASTOON.MAINTENANCE.DUPLICATE_OPEN_WORK_ORDER',
    ])
    const path = `/maintenance/work-orders/${String(created.body['workOrderId'])}`
    const { operatorId } = technician.tokens
    const assignee = { kind: 'staff', operatorId }
    expect((await manager.post(`${path}/assign`, { assignee })).body['status']).toBe('assigned')
    const resolution = 'Restarted the router'
    expect((await technician.post(`${path}/resolve`, { resolution })).body['status']).toBe(
      'resolved',
    )
    expect((await technician.post(`${path}/verify`, {})).status).toBe(403)
    expect((await manager.post(`${path}/verify`, {})).body['status']).toBe('verified')
  })
})

describe('another tenant', () => {
  it('STAFF-BRD-03 does not find what it names', async () => {
    const stranger = await signIn(office, 'manager', { slug: OTHER_SLUG })
    const [stay] = await rows('in-house')
    const task = await anyTask('pending')()
    const charge = {
      amount: { amount: 1, currency: stay?.balance?.currency },
      category: 'other',
      description: 'x',
    }
    const attempts: [path: string, unknown: string, body: object][] = [
      [`/reservations/${stay?.id}/check-out`, `/reservations/${newId('rsv')}/check-out`, {}],
      [`/folios/${stay?.folioId}/charges`, `/folios/${newId('fol')}/charges`, charge],
      [
        `/housekeeping/tasks/${task?.taskId}/start`,
        `/housekeeping/tasks/${newId('hkt')}/start`,
        {},
      ],
    ]
    for (const [path, unknown, body] of attempts) {
      const [foreign, absent] = [
        await stranger.post(path, body),
        await stranger.post(unknown, body),
      ]
      expect([foreign.status, foreign.body['code'], foreign.body['detail']]).toEqual([
        404,
        absent.body['code'],
        absent.body['detail'],
      ])
    }
    const order = { propertyId, category: 'it', severity: 'low', title: 'x' }
    expect((await stranger.post('/maintenance/work-orders', order)).status).toBe(404)
  })
})
