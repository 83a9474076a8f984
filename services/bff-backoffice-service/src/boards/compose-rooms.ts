import type { HousekeepingRoom, TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import type { BoardRights } from './board-rights.ts'
import type { RoomRow, RowAction } from './board-rows.ts'

/** What the next status of a task needs. */
const NEXT_OF_TASK: Partial<Record<TaskStatus, readonly [RowAction, string]>> = {
  pending: ['task_start', 'staff.task.start'],
  in_progress: ['task_complete', 'staff.task.complete'],
  completed: ['task_inspect', 'staff.task.inspect'],
}

const OCCUPIED = new Set<HousekeepingRoom['occupancy']>(['occupied', 'due_out'])

/** The rooms by floor and number. Maintenance sees their status only. */
export function composeRooms(
  rooms: readonly HousekeepingRoom[],
  arrivals: readonly StaffStay[] | undefined,
  rights: BoardRights,
): RoomRow[] {
  const isStatusOnly = !rights.sees('tasks')
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
    allowedActions: isStatusOnly ? [] : roomActions(room, rights),
    ...(!isStatusOnly && room.task !== undefined && { task: room.task }),
    ...(!isStatusOnly && nextArrival(next.get(room.roomId))),
  }))
}

function roomActions(room: HousekeepingRoom, rights: BoardRights): RowAction[] {
  const next = room.task && NEXT_OF_TASK[room.task.status]
  if (next === undefined) return []
  const [action, operation] = next
  if (action === 'task_start' && !isOpenToTask(room)) return []
  return rights.may(operation) ? [action] : []
}

/** The rule of housekeeping: no guest is disturbed, and a turnover waits until guests have left. */
function isOpenToTask({ occupancy, flags, task }: HousekeepingRoom): boolean {
  if (!OCCUPIED.has(occupancy)) return true
  return task?.kind !== 'turnover' && !flags.includes('dnd') && !flags.includes('refused')
}

function nextArrival(stay: StaffStay | undefined): Pick<RoomRow, 'nextArrival'> {
  if (stay === undefined) return {}
  const { arrivalTime } = stay.guest
  const eta = arrivalTime === undefined ? {} : { eta: arrivalTime }
  return { nextArrival: { reservationId: stay.reservationId, ...eta } }
}
