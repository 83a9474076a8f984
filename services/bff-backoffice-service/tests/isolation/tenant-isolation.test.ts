import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLE_TABLE } from '../../src/access/role-table.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, OTHER_SLUG, startWithSandbox } from '../harness/start-backoffice.ts'
import { idsOf, type ObjectIds, unknownIds } from './object-ids.ts'

/** A hotel with two properties: its front desk works at the first one only. */
const SLUG = 'gulistan-hotel'

interface Request {
  readonly as: 'desk' | 'housekeeping-lead' | 'technician' | 'manager'
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly json?: unknown
}

const charge = {
  amount: { amount: 100, currency: 'USD' },
  category: 'minibar',
  description: 'Water',
}

/** Every operation that names an object, with a request that is valid but for its ids. */
const REQUESTS: Readonly<Record<string, (ids: ObjectIds) => Request>> = {
  'staff.dashboard.get': ({ propertyId }) => ({
    as: 'desk',
    path: `/dashboard?propertyId=${propertyId}`,
  }),
  'staff.activity.list': ({ propertyId }) => ({
    as: 'desk',
    path: `/activity?propertyId=${propertyId}`,
  }),
  'staff.reservation.check-in': ({ reservationId, roomId }) => ({
    as: 'desk',
    path: `/reservations/${reservationId}/check-in`,
    json: { roomIds: [roomId] },
  }),
  'staff.reservation.check-out': ({ reservationId }) => ({
    as: 'desk',
    path: `/reservations/${reservationId}/check-out`,
    json: {},
  }),
  'staff.folio.charge': ({ folioId }) => ({
    as: 'desk',
    path: `/folios/${folioId}/charges`,
    json: charge,
  }),
  'staff.work-order.create': ({ propertyId, roomId }) => ({
    as: 'desk',
    path: '/maintenance/work-orders',
    json: { propertyId, roomId, category: 'it', severity: 'low', title: 'No network' },
  }),
  'staff.alert.list': ({ propertyId }) => ({
    as: 'desk',
    path: `/alerts?propertyId=${propertyId}`,
  }),
  'staff.alert.acknowledge': ({ alertId }) => ({
    as: 'desk',
    path: `/alerts/${alertId}/acknowledge`,
    json: {},
  }),
  'staff.suggestion.list': ({ propertyId }) => ({
    as: 'desk',
    path: `/ai/suggestions?propertyId=${propertyId}`,
  }),
  'staff.suggestion.decide': ({ suggestionId }) => ({
    as: 'desk',
    path: `/ai/suggestions/${suggestionId}/decide`,
    json: { outcome: 'rejected' },
  }),
  'staff.task.start': ({ taskId }) => ({
    as: 'housekeeping-lead',
    path: `/housekeeping/tasks/${taskId}/start`,
    json: {},
  }),
  'staff.task.complete': ({ taskId }) => ({
    as: 'housekeeping-lead',
    path: `/housekeeping/tasks/${taskId}/complete`,
    json: {},
  }),
  'staff.task.inspect': ({ taskId }) => ({
    as: 'housekeeping-lead',
    path: `/housekeeping/tasks/${taskId}/inspect`,
    json: {},
  }),
  'staff.work-order.assign': ({ workOrderId }) => ({
    as: 'technician',
    path: `/maintenance/work-orders/${workOrderId}/assign`,
    json: { assignee: { kind: 'vendor', vendorName: 'Kabul Plumbing' } },
  }),
  'staff.work-order.resolve': ({ workOrderId }) => ({
    as: 'technician',
    path: `/maintenance/work-orders/${workOrderId}/resolve`,
    json: {},
  }),
  'staff.work-order.verify': ({ workOrderId }) => ({
    as: 'manager',
    path: `/maintenance/work-orders/${workOrderId}/verify`,
    json: {},
  }),
  'staff.device.list': ({ propertyId }) => ({
    as: 'manager',
    path: `/devices?propertyId=${propertyId}`,
  }),
  'staff.lock.issue': ({ reservationId }) => ({
    as: 'desk',
    path: `/locks/${reservationId}/issue-key`,
    json: {},
  }),
  'staff.lock.revoke': ({ reservationId, keyId }) => ({
    as: 'desk',
    path: `/locks/${reservationId}/revoke-key`,
    json: { keyId, reason: 'lost' },
  }),
  'staff.lock.rebind': ({ reservationId, keyId }) => ({
    as: 'desk',
    path: `/locks/${reservationId}/rebind-key`,
    json: { keyId },
  }),
  'staff.lock.extend': ({ reservationId, keyId }) => ({
    as: 'desk',
    path: `/locks/${reservationId}/extend-key`,
    json: { keyId },
  }),
  'staff.lock.action-get': ({ lockActionId }) => ({
    as: 'desk',
    path: `/locks/actions/${lockActionId}`,
  }),
  'staff.device.heartbeat': ({ deviceId }) => ({
    as: 'desk',
    path: `/devices/${deviceId}/heartbeat`,
    json: { appVersion: '1.0.0', appPlatform: 'linux' },
  }),
  'staff.sync.handshake': ({ propertyId }) => ({
    as: 'desk',
    path: '/sync/handshake',
    json: { propertyIds: [propertyId] },
  }),
  'staff.preferences.get': ({ propertyId }) => ({
    as: 'desk',
    path: `/preferences?propertyId=${propertyId}`,
  }),
}

let office: Backoffice
const staff = new Map<string, Staff>()
const scopes = new Map<string, readonly string[]>()
let foreign: ObjectIds
let outOfScope: ObjectIds

beforeAll(async () => {
  office = await startWithSandbox()
  for (const name of ['desk', 'housekeeping-lead', 'technician', 'manager']) {
    const device = await signIn(office, name, { slug: SLUG })
    staff.set(name, device)
    scopes.set(name, (await device.read<{ properties: string[] }>('/session')).body.properties)
  }
  const other = await signIn(office, 'manager', { slug: OTHER_SLUG })
  foreign = await idsOf(other, await other.propertyId())
  const owner = await signIn(office, 'manager', { slug: SLUG })
  const { body } = await owner.read<{ properties: string[] }>('/session')
  const mine = await staff.get('desk')?.propertyId()
  outOfScope = await idsOf(owner, body.properties.find((id) => id !== mine) ?? '')
})
afterAll(() => office[Symbol.asyncDispose]())

async function send({ as, method, path, json }: Request) {
  const device = staff.get(as)
  if (device === undefined) throw new TypeError(`${as} is not signed in`)
  const response = await device.fetch(path, {
    method: method ?? (json === undefined ? 'GET' : 'POST'),
    ...(json !== undefined && { json }),
  })
  const {
    requestId: _,
    traceId: __,
    instance: ___,
    ...body
  } = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}

describe('another tenant and a property out of scope do not exist', () => {
  it.each(Object.keys(REQUESTS))('%s', async (operation) => {
    const build = REQUESTS[operation]
    if (build === undefined) throw new TypeError('no request')
    const unknown = await send(build(unknownIds()))
    expect(unknown.status).toBe(404)
    expect(await send(build(foreign))).toEqual(unknown)
    const scope = scopes.get(build(outOfScope).as) ?? []
    if (scope.includes('*') || scope.includes(outOfScope.propertyId)) return
    expect(await send(build(outOfScope))).toEqual(unknown)
  })

  it('covers known operations only', () => {
    expect(Object.keys(REQUESTS).filter((operation) => !(operation in ROLE_TABLE))).toEqual([])
  })
})
