import { systemClock } from '@melmastoon/chassis/clock'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { problem, todayIn } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { TaskDetail } from '@melmastoon/upstream-contracts/housekeeping'
import type { CallOf } from '../../contract-handlers.ts'
import { originOf } from '../../staff/staff-change.ts'
import { addTask } from './add-task.ts'
import { taskEvent } from './housekeeping-events.ts'
import type { HousekeepingHost } from './housekeeping-host.ts'
import { findPlacedRoom } from './read-rooms.ts'
import { lockRoomState } from './room-change.ts'
import type { HousekeepingOperations } from './task.ts'

type Create = HousekeepingOperations['createTask']

export async function createTask(
  host: HousekeepingHost,
  { params, body }: InputOf<Create>,
  call: CallOf<Create>,
): Promise<TaskDetail> {
  const { tenantId, cause } = call
  const { propertyId } = params
  const { timeZone } = await host.property.readHotel({ tenantId, propertyId })
  const room = await findPlacedRoom(host, { tenantId, roomId: body.roomId })
  if (room.propertyId !== propertyId) throw problem('MELMASTOON.HOUSEKEEPING.ROOM_NOT_FOUND')
  const { kind, priority = 'normal' } = body
  const { scheduledFor = todayIn(timeZone, systemClock.now()) } = body
  const planned = { room, kind, priority, scheduledFor, source: 'manual' } as const
  return await host.db.withTenant(tenantId, async (tx) => {
    await lockRoomState(tx, { tenantId, ...room })
    const task = await addTask(tx, planned, { tenantId, origin: originOf(body) })
    if (task === null) throw problem('MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT')
    await appendEvents(tx, [taskEvent(tenantId, task, cause)])
    return await call.finish(tx, task)
  })
}
