import type { ObjectIds } from './object-ids.ts'

export interface Request {
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

type BuildRequest = (ids: ObjectIds) => Request

const board = (path: string): BuildRequest => {
  return ({ propertyId }) => ({ as: 'desk', path: `/${path}?propertyId=${propertyId}` })
}

/** Every operation that names an object, with a request that is valid but for its ids. */
export const REQUESTS: Readonly<Record<string, BuildRequest>> = {
  'staff.board.today': board('today'),
  'staff.board.arrivals': board('arrivals'),
  'staff.board.departures': board('departures'),
  'staff.board.in-house': board('in-house'),
  'staff.board.housekeeping': board('housekeeping'),
  'staff.board.maintenance': board('maintenance'),
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
  'staff.preferences.put': ({ propertyId }) => ({
    as: 'desk',
    method: 'PUT',
    path: '/preferences',
    json: { propertyId, payload: {}, expectedVersion: 0 },
  }),
  'staff.offline.pack': ({ propertyId }) => ({
    as: 'desk',
    path: `/offline-pack?propertyId=${propertyId}`,
  }),
  'staff.offline.verdict': ({ intentId }) => ({
    as: 'desk',
    path: `/offline-actions/${intentId}`,
  }),
  'staff.key.read': ({ idempotencyKey }) => ({
    as: 'desk',
    path: `/idempotency/${idempotencyKey}`,
  }),
}

/** These name no object, or only those of the sender's own session, device and stream. */
export const WITHOUT_OBJECTS: ReadonlySet<string> = new Set([
  'staff.session.sign-out',
  'staff.session.get',
  // The object is part of what is confirmed, and is checked by the action.
  'staff.mfa.challenge',
  'staff.mfa.step-up',
  'staff.shortcuts.get',
  'staff.sync.cursor-get',
  'staff.sync.cursor-advance',
  'staff.offline.hint',
  // Each intent has its own verdict.
  'staff.offline.submit',
  'staff.stream.open',
  'staff.stream.poll',
  'staff.stream.renew',
])
