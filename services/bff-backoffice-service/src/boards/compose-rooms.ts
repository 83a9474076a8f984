import type { HousekeepingRoom, TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import { seesFields } from '../access/field-table.ts'
import type { Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import type { RoomRow, RowAction } from './board-rows.ts'

type Viewer = Pick<Operator, 'roles' | 'isLead'>

/** What the next status of a task needs. */
const NEXT_OF_TASK: Partial<Record<TaskStatus, readonly [RowAction, string]>> = {
  pending: ['task_start', 'staff.task.start'],
  in_progress: ['task_complete', 'staff.task.complete'],
  completed: ['task_inspect', 'staff.task.inspect'],
}

/** The rooms by floor and number. Maintenance sees their status only. */
export function composeRooms(
  rooms: readonly HousekeepingRoom[],
  arrivals: readonly StaffStay[] | undefined,
  viewer: Viewer,
): RoomRow[] {
  const isStatusOnly = !seesFields('tasks', viewer)
  const next = new Map(
    arrivals?.flatMap((stay) => stay.rooms.map(({ roomId }) => [roomId, stay] as const)),
  )
  return rooms.map((room) => ({
    id: room.roomId,
    version: room.version,
    updatedAt: room.updatedAt,
    number: room.number,
    floor: room.floor,
    roomTypeId: room.roomTypeId,
    condition: room.condition,
    occupancy: room.occupancy,
    flags: room.flags,
    discrepancy: room.discrepancy,
    allowedActions: isStatusOnly ? [] : roomActions(room, viewer),
    ...(!isStatusOnly && room.task !== undefined && { task: room.task }),
    ...(!isStatusOnly && nextArrival(next.get(room.roomId))),
  }))
}

function roomActions({ task }: HousekeepingRoom, viewer: Viewer): RowAction[] {
  const next = task && NEXT_OF_TASK[task.status]
  if (next === undefined) return []
  const [action, operation] = next
  return isAllowed(operation, viewer) ? [action] : []
}

function nextArrival(stay: StaffStay | undefined): Pick<RoomRow, 'nextArrival'> {
  if (stay === undefined) return {}
  const { arrivalTime } = stay.guest
  const eta = arrivalTime === undefined ? {} : { eta: arrivalTime }
  return { nextArrival: { reservationId: stay.reservationId, ...eta } }
}
