import { createDeadline } from '@melmastoon/chassis/clock'
import { forEachConcurrently } from '@melmastoon/chassis/concurrency'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type Id, newId, type PropertyId, type TenantId } from '@melmastoon/domain'
import {
  type HousekeepingRoom,
  type StaffFlag,
  TASK_KINDS,
  type TaskKind,
} from '@melmastoon/upstream-contracts/housekeeping'
import { rightsOn } from '../../src/boards/board-rights.ts'
import type { RowAction } from '../../src/boards/board-rows.ts'
import { composeRooms } from '../../src/boards/compose-rooms.ts'
import type { BackofficeContext } from '../../src/context.ts'

export interface Hotel {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/** One request for a task, and whether its board offered it. */
export interface Attempt {
  readonly room: HousekeepingRoom
  readonly action: RowAction
  readonly isOffered: boolean
  readonly isAccepted: boolean
}

const MOVES = {
  task_start: 'startTask',
  task_complete: 'completeTask',
  task_inspect: 'inspectTask',
} as const

const FLAGS: readonly StaffFlag[][] = [[], ['dnd'], ['refused'], ['pickup'], ['out_of_service']]

const KINDS = TASK_KINDS.length
const CONCURRENT = 6

const MANAGER = {
  roles: ['general_manager'],
  isLead: false,
  operatorId: newId('opr'),
} as const

/** What the housekeeping board offers a manager for a room. */
export function offeredFor(room: HousekeepingRoom): readonly RowAction[] {
  return composeRooms([room], [], rightsOn('housekeeping', MANAGER)).flatMap(
    ({ allowedActions }) => allowedActions,
  )
}

/**
 * Requests every action for the task of every room: of the seeded tasks, then of each kind
 * with each flag.
 */
export async function walkRooms(
  { upstreams: { housekeeping } }: Pick<BackofficeContext, 'upstreams'>,
  { tenantId, propertyId }: Hotel,
): Promise<Attempt[]> {
  using deadline = createDeadline(60_000)
  const actor = { operatorId: newId('opr'), deviceId: newId('dev') }
  const read = { deadline, tenantId }
  const change = () => ({ ...read, idempotencyKey: newId('req') })
  const params = { propertyId }

  const isAccepted = async (action: keyof typeof MOVES, taskId: Id<'hkt'>) => {
    try {
      await housekeeping[MOVES[action]]({ params: { taskId }, body: { actor } }, change())
      return true
    } catch (error) {
      if (error instanceof UpstreamRejection && error.status === 409) return false
      throw error
    }
  }

  /** What is not offered first: a change by one that is would hide what the others do. */
  const attemptAll = async (room: HousekeepingRoom): Promise<Attempt[]> => {
    if (room.task === undefined) return []
    const offered = offeredFor(room)
    const rank = (action: RowAction) => Number(offered.includes(action))
    const actions = (['task_start', 'task_complete', 'task_inspect'] as const).toSorted(
      (a, b) => rank(a) - rank(b),
    )
    const attempts: Attempt[] = []
    for (const action of actions) {
      const result = await isAccepted(action, room.task.taskId)
      attempts.push({ room, action, isOffered: offered.includes(action), isAccepted: result })
    }
    return attempts
  }

  const listRooms = async () => (await housekeeping.listRooms({ params }, read)).rooms
  const prepare = async ({ roomId }: HousekeepingRoom, flags: StaffFlag[], kind: TaskKind) => {
    await housekeeping.setRoomFlags({ params: { roomId }, body: { flags, actor } }, change())
    const task = { roomId, kind, priority: 'urgent', actor } as const
    await housekeeping.createTask({ params, body: task }, change()).catch(ignoreConflict)
  }

  const attempts: Attempt[] = []
  const attemptRooms = async () =>
    await forEachConcurrently(await listRooms(), CONCURRENT, async (room) => {
      attempts.push(...(await attemptAll(room)))
    })
  await attemptRooms()
  const rooms = [...(await listRooms()).entries()]
  await forEachConcurrently(rooms, CONCURRENT, async ([at, room]) => {
    const [flags = [], kind = 'turnover'] = [FLAGS[at % FLAGS.length], TASK_KINDS[at % KINDS]]
    await prepare(room, flags, kind)
  })
  // Pending, in progress, completed.
  for (let step = 0; step < 3; step += 1) await attemptRooms()
  return attempts
}

/** The room has an open task of this kind. */
function ignoreConflict(error: unknown): undefined {
  if (error instanceof UpstreamRejection && error.status === 409) return undefined
  throw error
}
