import type { IsoDate, RoomId } from '@melmastoon/domain'
import type {
  RoomCondition,
  RoomFlag,
  TaskKind,
  TaskPriority,
  TaskStatus,
} from '@melmastoon/upstream-contracts/housekeeping'
import { SeededRandom } from '../../world/seeded-random.ts'
import type { WorldStay } from '../../world/world.ts'

export interface PlannedTask {
  readonly kind: TaskKind
  readonly priority: TaskPriority
  readonly status: TaskStatus
}

export interface PlannedRoom {
  readonly condition: RoomCondition
  readonly guests: WorldStay | undefined
  readonly flags: readonly RoomFlag[]
  readonly task: PlannedTask | null
}

interface RoomDay {
  readonly seed: string
  readonly today: IsoDate
  readonly roomId: RoomId
  /** The stays with this room that are in house or arrive today. */
  readonly stays: readonly WorldStay[]
  readonly isBlocked: boolean
}

/** The state of a room of the demo world on a morning: the same for the same day. */
export function planRoom({ seed, today, roomId, stays, isBlocked }: RoomDay): PlannedRoom {
  const random = SeededRandom.of(`${seed}:housekeeping:${roomId}:${today}`)
  const guests = stays.find(({ status }) => status === 'in_house')
  if (isBlocked) return { condition: 'dirty', guests, flags: ['out_of_order'], task: null }
  if (guests === undefined) {
    const isExpected = stays.some(({ status }) => status === 'confirmed')
    return { guests, flags: [], ...planVacant(random, isExpected) }
  }
  if (guests.checkOut === today) return { condition: 'dirty', guests, flags: [], task: null }
  return { guests, ...planStayOver(random) }
}

function planVacant(random: SeededRandom, isExpected: boolean) {
  const draw = random.next()
  if (draw < 0.45) return { condition: 'inspected', task: null } as const
  if (draw < 0.8) return { condition: 'clean', task: null } as const
  const priority = isExpected ? 'high' : 'normal'
  const isStarted = draw > 0.95
  const status = isStarted ? 'in_progress' : 'pending'
  const task = { kind: 'turnover', priority, status } as const
  return { condition: isStarted ? 'cleaning' : 'dirty', task } as const
}

function planStayOver(random: SeededRandom): Omit<PlannedRoom, 'guests'> {
  const draw = random.next()
  const task = (status: TaskStatus) =>
    ({ kind: 'mid_stay_clean', priority: 'normal', status }) as const
  if (draw < 0.08) return { condition: 'dirty', flags: ['dnd'], task: task('pending') }
  if (draw < 0.11) return { condition: 'dirty', flags: ['refused'], task: null }
  if (draw < 0.65) return { condition: 'dirty', flags: [], task: task('pending') }
  if (draw < 0.72) return { condition: 'cleaning', flags: [], task: task('in_progress') }
  return { condition: 'clean', flags: [], task: task('completed') }
}
