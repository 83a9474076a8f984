import { newId } from '@melmastoon/domain'
import type { Journey, Json } from './journey.ts'
import type { Staff } from './staff.ts'

interface Row {
  readonly id: string
  readonly version: number
  readonly status: string
  readonly readiness: string
  readonly occupancy?: string
  readonly folioId?: string
  readonly balance?: { readonly currency: string }
  readonly task?: { readonly taskId: string; readonly status: string; readonly version: number }
}

interface Suggestion {
  readonly suggestionId: string
  readonly category: string
}

const rowsOf = (page: Json) => page['rows'] as readonly Row[]

function found<T>(values: readonly T[], matches: (value: T) => boolean): T {
  const value = values.find(matches)
  if (value === undefined) throw new Error('the demo world has none')
  return value
}

/** Every operation once, by somebody who may use it. */
export async function workAllDay(journey: Journey): Promise<void> {
  const [desk, lead, technician, manager] = await Promise.all(
    (['desk', 'housekeeping-lead', 'technician', 'manager'] as const).map((name) =>
      journey.signIn(name),
    ),
  )
  if (!desk || !lead || !technician || !manager) throw new TypeError('not signed in')
  const propertyId = await desk.propertyId()
  const at = { parameters: { propertyId } }
  await journey.fillInboxes(desk, propertyId)
  await journey.send(desk, 'staff.session.get')
  await desk.refresh()
  await journey.send(desk, 'staff.session.get')
  await readBoards(journey, desk, propertyId)
  const reservationId = await welcome(journey, desk, propertyId)
  await workOnInboxes(journey, desk, propertyId)
  await workOffline(journey, lead, propertyId)
  await workOnRooms(journey, { lead, technician, manager, propertyId })
  await connect(journey, desk, propertyId)
  await journey.send(manager, 'staff.device.list', at)
  await journey.send(manager, 'staff.activity.list', at)
  await journey.send(desk, 'staff.reservation.check-out', {
    parameters: { reservationId },
    body: { expectedVersion: undefined },
  })
  await journey.send(desk, 'staff.session.sign-out')
}

const BOARDS = ['today', 'arrivals', 'departures', 'in-house', 'housekeeping', 'maintenance']

async function readBoards(journey: Journey, desk: Staff, propertyId: string): Promise<void> {
  await journey.send(desk, 'staff.dashboard.get', { parameters: { propertyId } })
  for (const board of BOARDS) {
    const parameters = { propertyId, date: undefined, since: undefined, cursor: undefined }
    await journey.send(desk, `staff.board.${board}`, { parameters })
  }
}

/** Check-in, key, second factor, charge. */
async function welcome(journey: Journey, desk: Staff, propertyId: string): Promise<string> {
  const parameters = { propertyId, date: undefined, since: undefined, cursor: undefined }
  const arrivals = rowsOf(await journey.send(desk, 'staff.board.arrivals', { parameters }))
  const isReady = ({ readiness, status }: Row) => readiness === 'ready' && status === 'confirmed'
  const { id: reservationId, version: expectedVersion } = found(arrivals, isReady)
  const of = (body: Json) => ({ parameters: { reservationId }, body })
  const stay = await journey.send(desk, 'staff.reservation.check-in', of({ expectedVersion }))
  const { keyId } = await journey.send(desk, 'staff.lock.issue', of({}))
  await journey.send(desk, 'staff.lock.extend', of({ keyId, validUntil: undefined }))
  await journey.send(desk, 'staff.lock.rebind', of({ keyId, roomIds: undefined }))
  const purpose = { resourceId: reservationId }
  const { challengeId, challenge } = await journey.send(desk, 'staff.mfa.challenge', {
    body: purpose,
  })
  const assertion = desk.signChallenge(String(challenge))
  const { attestationId } = await journey.send(desk, 'staff.mfa.step-up', {
    body: { ...purpose, challengeId, assertion },
  })
  const { actionId } = await journey.send(desk, 'staff.lock.revoke', of({ keyId, attestationId }))
  await journey.send(desk, 'staff.lock.action-get', { parameters: { actionId } })
  const { folioId } = stay
  const inHouse = rowsOf(await journey.send(desk, 'staff.board.in-house', { parameters }))
  const currency = found(inHouse, ({ balance }) => balance !== undefined).balance?.currency
  await journey.send(desk, 'staff.folio.charge', {
    parameters: { folioId },
    body: {
      amount: { amount: 500, currency },
      expectedVersion: undefined,
      attestationId: undefined,
    },
  })
  return reservationId
}

async function workOnInboxes(journey: Journey, desk: Staff, propertyId: string): Promise<void> {
  const at = { parameters: { propertyId } }
  const alerts = await journey.send(desk, 'staff.alert.list', at)
  const { alertId } = (alerts['rows'] as { alertId: string }[])[0] ?? {}
  await journey.send(desk, 'staff.alert.acknowledge', { parameters: { alertId } })
  const suggestions = await journey.send(desk, 'staff.suggestion.list', at)
  const { suggestionId, category } = (suggestions['rows'] as Suggestion[])[0] ?? {}
  await journey.send(desk, 'staff.suggestion.decide', {
    parameters: { suggestionId },
    // The example is about the other category that the front desk decides.
    ...(category === 'overbooking_warning' && { body: { modifiedDelta: { action: 'relocate' } } }),
  })
  const { version } = await journey.send(desk, 'staff.preferences.get', at)
  const body = { propertyId, expectedVersion: version }
  await journey.send(desk, 'staff.preferences.put', { body })
  await journey.send(desk, 'staff.shortcuts.get', at)
}

async function workOffline(journey: Journey, lead: Staff, propertyId: string): Promise<void> {
  const { version, taskId } = await taskIn(journey, lead, propertyId)
  const now = new Date().toISOString()
  const intentId = newId('int')
  const intent = { intentId, seq: 1, name: 'task.start', resourceId: taskId, occurredAt: now }
  await journey.send(lead, 'staff.offline.hint')
  await journey.send(lead, 'staff.offline.submit', {
    body: { sentAt: now, intents: [{ ...intent, expect: { version } }] },
  })
  await journey.send(lead, 'staff.offline.verdict', { parameters: { intentId } })
  const path = { parameters: { taskId }, body: { expectedVersion: undefined } }
  await journey.send(lead, 'staff.task.complete', path)
  await journey.send(lead, 'staff.task.inspect', path)
  await journey.send(lead, 'staff.offline.pack', { parameters: { propertyId } })
}

/** Vacant rooms first: guests in theirs may not want to be disturbed. */
async function tasksIn(journey: Journey, lead: Staff, propertyId: string) {
  const parameters = { propertyId, date: undefined, since: undefined, cursor: undefined }
  const rooms = rowsOf(await journey.send(lead, 'staff.board.housekeeping', { parameters }))
  const isVacant = ({ occupancy }: Row) => occupancy === 'vacant'
  const sorted = [...rooms.filter(isVacant), ...rooms.filter((room) => !isVacant(room))]
  return sorted.flatMap(({ task }) => (task?.status === 'pending' ? [task] : []))
}

async function taskIn(journey: Journey, lead: Staff, propertyId: string) {
  const [task] = await tasksIn(journey, lead, propertyId)
  if (task === undefined) throw new TypeError('no task')
  return task
}

/** A guest may have been checked into a room since the board was read. */
async function startTask(journey: Journey, lead: Staff, propertyId: string): Promise<void> {
  for (const { taskId } of await tasksIn(journey, lead, propertyId)) {
    const started = await journey.attempt(lead, 'staff.task.start', {
      parameters: { taskId },
      body: { expectedVersion: undefined },
    })
    if (started.status < 300) return
  }
  throw new Error('no task could be started')
}

interface RoomStaff {
  readonly lead: Staff
  readonly technician: Staff
  readonly manager: Staff
  readonly propertyId: string
}

async function workOnRooms(journey: Journey, staff: RoomStaff): Promise<void> {
  const { lead, technician, manager, propertyId } = staff
  const versionless = { expectedVersion: undefined }
  await startTask(journey, lead, propertyId)
  const { workOrderId } = await journey.send(technician, 'staff.work-order.create', {
    body: { propertyId, roomId: undefined },
  })
  const path = { parameters: { workOrderId } }
  const { operatorId } = technician.tokens
  await journey.send(technician, 'staff.work-order.assign', {
    ...path,
    body: { ...versionless, assignee: { kind: 'staff', operatorId } },
  })
  await journey.send(technician, 'staff.work-order.resolve', { ...path, body: versionless })
  await journey.send(manager, 'staff.work-order.verify', { ...path, body: versionless })
}

/** Streams, heartbeat and synchronisation. */
async function connect(journey: Journey, desk: Staff, propertyId: string): Promise<void> {
  const { deviceId } = desk.tokens
  const key = newId('req')
  await desk.post('/offline-actions/hints', HINT, { idempotencyKey: key })
  await journey.send(desk, 'staff.key.read', { parameters: { key } })
  await journey.send(desk, 'staff.device.heartbeat', {
    parameters: { deviceId },
    body: { propertyId },
  })
  const { version } = await journey.send(desk, 'staff.sync.cursor-get')
  await journey.send(desk, 'staff.sync.handshake', { body: { propertyIds: [propertyId] } })
  await journey.send(desk, 'staff.sync.cursor-advance', { body: { expectedVersion: version } })
  const position = { after: undefined }
  await journey.send(desk, 'staff.stream.poll', { parameters: position })
  const abort = new AbortController()
  const stream = await desk.fetch('/sse/stream', { signal: abort.signal })
  await journey.send(desk, 'staff.stream.renew')
  abort.abort()
  await stream.body?.cancel().catch(() => undefined)
}

const HINT = { appVersion: '1.4.0', actions: [] }
