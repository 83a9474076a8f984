import { type Id, type IsoDate, type StayDates, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  HousekeepingRoom,
  RoomCondition,
  RoomFlag,
  RoomOccupancy,
  TaskSummary,
} from '@melmastoon/upstream-contracts/housekeeping'
import type { HistoryRow } from '../../staff/staff-change.ts'

export interface RoomStateRow {
  readonly room_id: string
  readonly property_id: string
  readonly condition: RoomCondition
  readonly occupied_by: string | null
  readonly occupied_on: IsoDate | null
  readonly flags: RoomFlag[]
  readonly discrepancy: boolean
  readonly version: number
  readonly updated_at: Date
}

export interface RoomRow extends RoomStateRow {
  readonly task: (Omit<TaskSummary, 'taskId'> & { readonly task_id: string }) | null
}

export interface RoomDetailRow extends RoomRow {
  readonly history: readonly HistoryRow<RoomCondition>[]
}

/** What the property service knows of a room. */
export type RoomIdentity = Pick<
  HousekeepingRoom,
  'roomId' | 'propertyId' | 'roomTypeId' | 'number' | 'floor'
>

/** The state of a room that was never changed. */
export function untouchedRoom(updatedAt: Date): Omit<RoomRow, 'room_id' | 'property_id'> {
  return {
    condition: 'clean',
    occupied_by: null,
    occupied_on: null,
    flags: [],
    discrepancy: false,
    version: 1,
    updated_at: updatedAt,
    task: null,
  }
}

type RoomState = Omit<RoomRow, 'room_id' | 'property_id'>

export function toRoom(
  identity: RoomIdentity,
  state: RoomState,
  { stays, today }: { readonly stays: readonly StayDates[]; readonly today: IsoDate },
): HousekeepingRoom {
  const { condition, flags, discrepancy, task, version, updated_at } = state
  return {
    roomId: identity.roomId,
    propertyId: identity.propertyId,
    roomTypeId: identity.roomTypeId,
    number: identity.number,
    floor: identity.floor,
    condition,
    occupancy: occupancyOf(state.occupied_on, stays, today),
    flags,
    discrepancy,
    ...(task !== null && { task: toSummary(task) }),
    version,
    updatedAt: toIsoDateTime(updated_at),
  }
}

function toSummary({ task_id, ...rest }: NonNullable<RoomRow['task']>): TaskSummary {
  return { taskId: uuidToId('hkt', task_id) satisfies Id<'hkt'>, ...rest }
}

/**
 * A room that guests left and others entered on the same day has two stays: the one that includes
 * the day on which the current guests moved in decides.
 */
export function occupancyOf(
  occupiedOn: IsoDate | null,
  stays: readonly StayDates[],
  today: IsoDate,
): RoomOccupancy {
  const includes = (day: IsoDate) =>
    stays.find(({ checkIn, checkOut }) => checkIn <= day && day < checkOut)
  if (occupiedOn === null) return includes(today) === undefined ? 'vacant' : 'reserved'
  const current = includes(occupiedOn)
  return current !== undefined && current.checkOut > today ? 'occupied' : 'due_out'
}
