import { newId } from '@melmastoon/domain'
import type { Staff } from '../harness/staff.ts'

/** One object of every kind that a request can name. */
export interface ObjectIds {
  readonly propertyId: string
  readonly roomId: string
  readonly reservationId: string
  readonly folioId: string
  readonly taskId: string
  readonly workOrderId: string
  readonly alertId: string
  readonly suggestionId: string
  readonly deviceId: string
  readonly keyId: string
  readonly lockActionId: string
  /** Of an offline action. */
  readonly intentId: string
  readonly idempotencyKey: string
}

/** Well-formed ids that no object has. */
export function unknownIds(): ObjectIds {
  return {
    propertyId: newId('ppt'),
    roomId: newId('rmu'),
    reservationId: newId('rsv'),
    folioId: newId('fol'),
    taskId: newId('hkt'),
    workOrderId: newId('mnt'),
    alertId: newId('alt'),
    suggestionId: newId('sug'),
    deviceId: newId('dev'),
    keyId: newId('key'),
    lockActionId: newId('lap'),
    intentId: newId('int'),
    idempotencyKey: newId('req'),
  }
}

interface Row {
  readonly id: string
  readonly folioId?: string
  readonly nightsLeft?: number
  readonly keyIds?: readonly string[]
  readonly task?: { readonly taskId: string }
}

/** Objects of one property, as one of its managers sees them. */
export async function idsOf(manager: Staff, propertyId: string): Promise<ObjectIds> {
  const read = async (path: string) => {
    const { status, body } = await manager.read<{ rows: Row[] }>(path)
    if (status !== 200) throw new Error(`${path} returned ${status}`)
    return body.rows
  }
  const stays = await read(`/in-house?propertyId=${propertyId}`)
  const rooms = await read(`/housekeeping?propertyId=${propertyId}`)
  const orders = await read(`/maintenance?propertyId=${propertyId}`)
  const { body: alerts } = await manager.read<{ rows: { alertId: string }[] }>(
    `/alerts?propertyId=${propertyId}`,
  )
  const { body: inbox } = await manager.read<{ rows: { suggestionId: string }[] }>(
    `/ai/suggestions?propertyId=${propertyId}`,
  )
  const staying = stays.filter(
    ({ folioId, nightsLeft = 0 }) => folioId !== undefined && nightsLeft > 0,
  )
  const stay = staying.find(({ keyIds = [] }) => keyIds.length > 0)
  const idempotencyKey = newId('req')
  const { body: action } = await manager.post<{ actionId: string }>(
    `/locks/${some(stay?.id)}/issue-key`,
    { additional: true },
    { idempotencyKey },
  )
  const alertId = some(alerts.rows[0]?.alertId)
  return {
    propertyId,
    roomId: some(rooms[0]?.id),
    reservationId: some(stay?.id),
    folioId: some(stay?.folioId),
    taskId: some(rooms.find((room) => room.task !== undefined)?.task?.taskId),
    workOrderId: some(orders[0]?.id),
    alertId,
    suggestionId: some(inbox.rows[0]?.suggestionId),
    deviceId: manager.tokens.deviceId,
    keyId: some(stay?.keyIds?.[0]),
    lockActionId: some(action.actionId),
    intentId: await submitted(manager, alertId),
    idempotencyKey,
  }
}

/** An action that was done offline, and has its verdict. */
async function submitted(manager: Staff, alertId: string): Promise<string> {
  const intentId = newId('int')
  const now = new Date().toISOString()
  const intent = { intentId, seq: 1, name: 'alert.acknowledge', resourceId: alertId, args: {} }
  const { status } = await manager.post('/offline-actions', {
    sentAt: now,
    bootId: 'boot',
    intents: [{ ...intent, expect: {}, occurredAt: now }],
  })
  if (status !== 200) throw new Error(`/offline-actions returned ${status}`)
  return intentId
}

function some(id: string | undefined): string {
  if (id === undefined) throw new Error('the demo hotel has no such object')
  return id
}
