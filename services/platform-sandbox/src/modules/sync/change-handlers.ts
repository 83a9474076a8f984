import { randomUUID } from 'node:crypto'
import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { type Id, idToUuid, type PropertyId, type TenantId } from '@melmastoon/domain'
import {
  housekeepingRoomStatusChanged,
  housekeepingTaskCancelled,
  housekeepingTaskCompleted,
  housekeepingTaskCreated,
  housekeepingTaskInspected,
  housekeepingTaskStarted,
} from '@melmastoon/platform-events'
import { recordChange } from './change-sql.ts'

interface Changed {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly status: string
  readonly version: number
  readonly occurredAt: string
}

/** Rooms and tasks that change are recorded for the devices of their property. */
export const changeHandlers: readonly EventHandler[] = [
  on(housekeepingRoomStatusChanged, {
    scope: 'tenant',
    handle: (tx, room) => record(tx, room, { kind: 'room', id: room.roomId }),
  }),
  ...[
    housekeepingTaskCreated,
    housekeepingTaskStarted,
    housekeepingTaskCompleted,
    housekeepingTaskInspected,
    housekeepingTaskCancelled,
  ].map((definition) =>
    on(definition, {
      scope: 'tenant',
      handle: (tx, task) => record(tx, task, { kind: 'task', id: task.taskId }),
    }),
  ),
]

async function record(
  tx: Tx,
  { tenantId, propertyId, status, version, occurredAt }: Changed,
  { kind, id }: { readonly kind: 'room' | 'task'; readonly id: Id<'rmu' | 'hkt'> },
): Promise<void> {
  const change = {
    tenant: idToUuid(tenantId),
    property: idToUuid(propertyId),
    kind,
    resource: idToUuid(id),
    status,
    version,
    changedAt: occurredAt,
  }
  await tx.query(recordChange(change, randomUUID()))
}
