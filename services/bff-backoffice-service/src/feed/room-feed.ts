import type { EventHandler } from '@melmastoon/chassis/inbox'
import {
  housekeepingRoomStatusChanged,
  housekeepingTaskCancelled,
  housekeepingTaskCompleted,
  housekeepingTaskCreated,
  housekeepingTaskInspected,
  housekeepingTaskStarted,
  lockCredentialExtended,
  lockCredentialFailed,
  lockCredentialIssued,
  lockCredentialRequested,
  lockCredentialRevoked,
  workOrderAssigned,
  workOrderCreated,
  workOrderResolved,
  workOrderRoomBlocked,
  workOrderStatusChanged,
  workOrderVerified,
} from '@melmastoon/platform-events'
import type { StreamEvent } from '../streams/stream-event.ts'
import { boardChange, type Change, type FeedDeps, type PropertyRef, withChannel } from './change.ts'
import { feed, pick } from './feed-handler.ts'

/** Rooms: cleaning, repairs and keys. */
export function roomFeed(deps: FeedDeps): EventHandler[] {
  return [
    ...feed(
      deps,
      [
        housekeepingTaskCreated,
        housekeepingTaskStarted,
        housekeepingTaskCompleted,
        housekeepingTaskInspected,
        housekeepingTaskCancelled,
      ],
      (payload, type) => {
        const data = pick(payload, ['taskId', 'roomId', 'status', 'version', 'causationId'])
        return boardChange(payload, 'rooms', { type, data })
      },
    ),
    ...feed(deps, [housekeepingRoomStatusChanged], (payload, type) => {
      const data = pick(payload, ['roomId', 'status', 'version', 'causationId'])
      return boardChange(payload, 'rooms', { type, data })
    }),
    ...feed(deps, WORK_ORDER_EVENTS, (payload, type) => {
      const data = pick(payload, ['workOrderId', 'roomId', 'status', 'version', 'causationId'])
      return workOrderChange(payload, { type, data })
    }),
    ...feed(deps, KEY_EVENTS, (payload, type) => {
      const names = ['keyId', 'reservationId', 'requestId', 'action', 'status', 'version'] as const
      return withChannel(
        boardChange(payload, 'keys', { type, data: pick(payload, names) }),
        'locks',
      )
    }),
  ]
}

const WORK_ORDER_EVENTS = [
  workOrderCreated,
  workOrderAssigned,
  workOrderStatusChanged,
  workOrderResolved,
  workOrderVerified,
  workOrderRoomBlocked,
]

const KEY_EVENTS = [
  lockCredentialRequested,
  lockCredentialIssued,
  lockCredentialFailed,
  lockCredentialRevoked,
  lockCredentialExtended,
]

/**
 * Housekeeping sees its own reports on the maintenance board, so it is notified without ids. The
 * lists of rooms do not change: when a room is blocked, housekeeping publishes its new status.
 */
function workOrderChange(
  ref: PropertyRef,
  { type, data }: Pick<StreamEvent, 'type' | 'data'>,
): Change {
  const { tags, events, tenantId } = boardChange(ref, 'work-orders', { type, data })
  return {
    tenantId,
    tags,
    events: events.flatMap((event) => [
      { ...event, classes: ['desk', 'mt', 'mgmt'] as const },
      { ...event, classes: ['hk'] as const, data: {} },
    ]),
  }
}
