import { problem } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import type { StaffFlag, TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import { STAFF_FLAGS } from '@melmastoon/upstream-contracts/housekeeping'
import { Type } from 'typebox'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'
import { CONTROL_ROOM_ACTOR } from './stay-actions.ts'

const RoomParams = Type.Object({ tenantId: id('tnt'), roomId: id('rmu') })
const by = { actor: CONTROL_ROOM_ACTOR }

export const setRoomCondition = defineAction({
  name: 'room.condition',
  path: '/tenants/:tenantId/rooms/:roomId/condition',
  summary: 'Mark a room as dirty, clean or inspected',
  done: 'The condition of the room is changed.',
  section: 'rooms',
  params: RoomParams,
  body: Type.Object({ condition: Type.Enum(['dirty', 'clean', 'inspected']) }),
  run: (room, { params: { tenantId, roomId }, body }, operator) =>
    room.modules.housekeeping.handlers.setRoomCondition(
      { params: { roomId }, body: { ...body, ...by } },
      tenantCall(operator, tenantId),
    ),
})

export const toggleRoomFlag = defineAction({
  name: 'room.toggle-flag',
  path: '/tenants/:tenantId/rooms/:roomId/toggle-flag',
  summary: 'Set a flag of a room, or remove it',
  done: 'The flag of the room is changed.',
  section: 'rooms',
  params: RoomParams,
  body: Type.Object({ flag: Type.Enum([...STAFF_FLAGS]) }),
  async run(room, { params: { tenantId, roomId }, body }, operator) {
    const { getRoom, setRoomFlags } = room.modules.housekeeping.handlers
    const call = tenantCall(operator, tenantId)
    const params = { roomId }
    const { flags: current } = await getRoom({ params }, call)
    const others = current.filter((flag): flag is StaffFlag => flag !== 'out_of_order')
    const without = others.filter((flag) => flag !== body.flag)
    const flags = without.length === others.length ? [...others, body.flag] : without
    return await setRoomFlags({ params, body: { flags, ...by } }, call)
  },
})

const NEXT_STEPS = {
  pending: 'startTask',
  in_progress: 'completeTask',
  completed: 'inspectTask',
} as const satisfies Partial<Record<TaskStatus, string>>

export const advanceTask = defineAction({
  name: 'room.advance-task',
  path: '/tenants/:tenantId/tasks/:taskId/advance',
  summary: 'Start, complete or inspect a housekeeping task, whichever is next',
  done: 'The task is one step further.',
  section: 'rooms',
  params: Type.Object({ tenantId: id('tnt'), taskId: id('hkt') }),
  body: Type.Object({}),
  async run(room, { params: { tenantId, taskId } }, operator) {
    const { handlers } = room.modules.housekeeping
    const call = tenantCall(operator, tenantId)
    const { status, version } = await handlers.getTask({ params: { taskId } }, call)
    if (status === 'inspected' || status === 'cancelled') {
      throw problem('MELMASTOON.HOUSEKEEPING.ROOM_STATE_CONFLICT')
    }
    const body = { expectedVersion: version, ...by }
    return await handlers[NEXT_STEPS[status]]({ params: { taskId }, body }, call)
  },
})
