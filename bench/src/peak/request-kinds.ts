import { newId } from '@melmastoon/domain'
import type { StaffRequest } from '../staff/staff-client.ts'
import { keepPreferencesVersion, pick, preferencesVersion, type Staff } from './hotel-state.ts'

/** A request, and what the device does with its response. */
export interface Planned {
  readonly request: StaffRequest
  readonly onReply?: (status: number, body: Buffer) => void
}

export interface RequestKind {
  readonly name: string
  /** As in the OpenAPI document: without it the kind cannot be sent. */
  readonly route: string
  readonly perSecond: number
  /** Rows of the ledger that a response leaves. */
  readonly ledgerRows: (status: number, body: Buffer) => number
  /** Who sends it; everybody by default. */
  readonly usernames?: readonly string[]
  /** Expected besides 2xx: what staff see every day, such as a gateway that is busy. */
  readonly accepts?: readonly number[]
  /** Devices that were notified of a change come first. */
  readonly followsEvents?: boolean
  /** Null when this device has nothing to send. */
  readonly plan: (staff: Staff) => Planned | null
}

const ROUTE = '/bff/backoffice/v1'
const CONFLICTS = [409, 422]

/** What staff have open, by account. */
export const BOARDS: Readonly<Record<string, readonly string[]>> = {
  desk: ['/arrivals', '/departures', '/in-house'],
  housekeeper: ['/housekeeping'],
  'housekeeping-lead': ['/housekeeping'],
  technician: ['/maintenance'],
  manager: ['/today', '/arrivals', '/housekeeping'],
  owner: ['/today'],
}

const none = () => 0
const one = () => 1

const get = (path: string, accept?: string): StaffRequest => ({
  method: 'GET',
  path,
  ...(accept !== undefined && { accept }),
})
const post = (path: string, json: unknown): StaffRequest => ({ method: 'POST', path, json })
const ofProperty = (path: string, { hotel }: Staff) => `${path}?propertyId=${hotel.propertyId}`

/** The peak of a region: 300 requests a second (staff reference §11). */
export const REQUEST_KINDS: readonly RequestKind[] = [
  { ...read('delta', '/arrivals', 110), followsEvents: true, plan: planDelta },
  { ...read('board', '/today', 20), plan: (staff) => ({ request: get(boardPath(staff)) }) },
  {
    ...read('dashboard', '/dashboard', 25),
    plan: (staff) => ({ request: get(ofProperty('/dashboard', staff), 'application/x-ndjson') }),
  },
  {
    ...change('heartbeat', '/devices/{deviceId}/heartbeat', 60),
    plan: ({ device, hotel }) => ({
      request: post(`/devices/${device.tokens.deviceId}/heartbeat`, {
        propertyId: hotel.propertyId,
        appVersion: '1.0.0',
        appPlatform: 'linux',
      }),
    }),
  },
  {
    ...read('alerts', '/alerts', 15),
    plan: (staff) => ({ request: get(ofProperty('/alerts', staff)) }),
  },
  {
    ...read('suggestions', '/ai/suggestions', 10),
    usernames: ['desk', 'housekeeping-lead', 'technician', 'manager', 'owner'],
    plan: (staff) => ({ request: get(ofProperty('/ai/suggestions', staff)) }),
  },
  { ...read('session', '/session', 5), plan: () => ({ request: get('/session') }) },
  {
    ...read('preferences', '/preferences', 5),
    plan: (staff) => ({ request: get(ofProperty('/preferences', staff)) }),
  },
  { ...read('sync cursor', '/sync/cursor', 5), plan: () => ({ request: get('/sync/cursor') }) },
  {
    ...change('sync handshake', '/sync/handshake', 5),
    plan: ({ hotel }) => ({
      request: post('/sync/handshake', { propertyIds: [hotel.propertyId] }),
    }),
  },
  {
    ...change('charge', '/folios/{folioId}/charges', 9),
    usernames: ['desk', 'manager'],
    accepts: CONFLICTS,
    plan: planCharge,
  },
  {
    ...change('work order', '/maintenance/work-orders', 12),
    usernames: ['manager'],
    accepts: CONFLICTS,
    plan: planOrder,
  },
  {
    name: 'change preferences',
    route: `put ${ROUTE}/preferences`,
    perSecond: 3,
    ledgerRows: one,
    accepts: CONFLICTS,
    plan: planPreferences,
  },
  {
    ...change('acknowledge', '/alerts/{alertId}/acknowledge', 3),
    usernames: ['desk', 'manager'],
    // An alert for another role is not found.
    accepts: [404, ...CONFLICTS],
    plan: ({ hotel }) => {
      const alertId = pick(hotel.alerts)
      return alertId === undefined ? null : { request: post(`/alerts/${alertId}/acknowledge`, {}) }
    },
  },
  {
    ...change('issue key', '/locks/{reservationId}/issue-key', 3),
    usernames: ['desk', 'manager'],
    accepts: CONFLICTS,
    plan: ({ hotel }) => {
      const stay = pick(hotel.stays)
      if (stay === undefined) return null
      return { request: post(`/locks/${stay}/issue-key`, { additional: true }) }
    },
  },
  {
    ...change('offline batch', '/offline-actions', 5),
    usernames: ['desk', 'manager'],
    ledgerRows: batchRows,
    plan: planBatch,
  },
  {
    ...read('activity', '/activity', 5),
    plan: () => ({ request: get('/activity?limit=50') }),
  },
]

function read(name: string, path: string, perSecond: number) {
  return { name, route: `get ${ROUTE}${path}`, perSecond, ledgerRows: none }
}

function change(name: string, path: string, perSecond: number) {
  return { name, route: `post ${ROUTE}${path}`, perSecond, ledgerRows: one }
}

function boardPath(staff: Staff): string {
  const board = pick(BOARDS[staff.device.account.username] ?? []) ?? '/today'
  return ofProperty(board, staff)
}

function planDelta(staff: Staff): Planned {
  const path = ofProperty(staff.board, staff)
  const cursor = staff.cursors.get(path)
  const since = cursor === undefined ? '' : `&since=${encodeURIComponent(cursor)}`
  return {
    request: get(`${path}${since}`),
    onReply(status, body) {
      if (status !== 200) return
      const { delta } = JSON.parse(body.toString()) as { delta: { cursor: string } }
      staff.cursors.set(path, delta.cursor)
    },
  }
}

/** The second report of a room finds the order of the first. */
const REPORT = { category: 'it', severity: 'low', title: 'No network' } as const
const CHARGE = { category: 'minibar', description: 'Water' } as const

function planCharge({ hotel }: Staff): Planned | null {
  const folio = pick(hotel.folios)
  if (folio === undefined) return null
  const amount = { amount: 100, currency: folio.currency }
  return { request: post(`/folios/${folio.folioId}/charges`, { amount, ...CHARGE }) }
}

/** Each order is created, resolved and verified in turn. */
function planOrder({ hotel }: Staff): Planned | null {
  const order = pick(hotel.orders.filter(({ isBusy }) => !isBusy))
  if (order === undefined) return null
  order.isBusy = true
  const { next, workOrderId, roomId } = order
  const request =
    next === 'create'
      ? post('/maintenance/work-orders', {
          propertyId: hotel.propertyId,
          roomId,
          category: 'other',
          severity: 'low',
          title: 'A drawer is stuck',
        })
      : post(`/maintenance/work-orders/${workOrderId ?? ''}/${next}`, {})
  return {
    request,
    onReply(status, body) {
      order.isBusy = false
      if (status >= 300) return
      const { workOrderId: id } = JSON.parse(body.toString()) as { workOrderId: string }
      order.workOrderId = id
      order.next = next === 'create' ? 'resolve' : next === 'resolve' ? 'verify' : 'create'
    },
  }
}

function planPreferences(staff: Staff): Planned {
  const { propertyId } = staff.hotel
  const expectedVersion = preferencesVersion(staff)
  const json = { propertyId, payload: { board: 'arrivals', density: 'compact' }, expectedVersion }
  return {
    request: { method: 'PUT', path: '/preferences', json },
    onReply(status, body) {
      if (status !== 200) return
      keepPreferencesVersion(staff, (JSON.parse(body.toString()) as { version: number }).version)
    },
  }
}

/** The batch, and each intent with a verdict: one that waits for its upstream has none yet. */
function batchRows(status: number, body: Buffer): number {
  if (status !== 200) return 1
  const { results } = JSON.parse(body.toString()) as {
    readonly results: readonly { readonly pending?: boolean }[]
  }
  return 1 + results.filter(({ pending }) => pending !== true).length
}

/** What was done while the device was offline: two charges, an acknowledgement and a report. */
function planBatch(staff: Staff): Planned | null {
  const { folios, alerts, orders } = staff.hotel
  const [folio, alertId, order] = [pick(folios), pick(alerts), pick(orders)]
  if (folio === undefined || alertId === undefined || order === undefined) return null
  const now = new Date().toISOString()
  const intent = (name: string, resourceId: string, given: object) => {
    staff.seq += 1
    const { seq } = staff
    return { intentId: newId('int'), seq, name, resourceId, expect: {}, occurredAt: now, ...given }
  }
  const charge = { expect: { currency: folio.currency }, args: { amount: 100, ...CHARGE } }
  const intents = [
    intent('folio.post_charge', folio.folioId, charge),
    intent('folio.post_charge', folio.folioId, charge),
    intent('alert.acknowledge', alertId, { args: {} }),
    intent('room.report_issue', order.roomId, { args: REPORT }),
  ]
  return { request: post('/offline-actions', { sentAt: now, bootId: 'bench', intents }) }
}
