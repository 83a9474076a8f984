import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import {
  moveTask,
  requireTask,
  TASK_MOVES,
  TASK_PROBLEMS,
  type TaskMove,
} from '../../housekeeping/move-task.ts'
import { ChangedTask, describeTask } from '../../housekeeping/task-view.ts'
import { changeHandler } from '../change-handler.ts'
import { CHANGE_DEADLINE_MS, expectedVersion, typedId } from '../change-request.ts'

const schema = {
  params: Type.Object({ taskId: typedId('hkt') }),
  body: named('MoveTaskRequest', Type.Object({ expectedVersion: expectedVersion() })),
  response: { 200: ChangedTask },
}
type Request = SchemaRequest<typeof schema>

/** Start, complete and inspect: they differ in the move only. */
export function moveTasksRoutes(app: App, ctx: BackofficeContext) {
  for (const move of TASK_MOVES) moveTaskRoute(app, ctx, move)
}

function moveTaskRoute(app: App, ctx: BackofficeContext, move: TaskMove) {
  const config = {
    operation: `staff.task.${move}`,
    deadlineMs: CHANGE_DEADLINE_MS,
    problems: TASK_PROBLEMS,
  } as const
  const activity = {
    category: 'housekeeping',
    action: `task.${move}`,
    resourceKind: 'task',
    resourceId: ({ params }: Request) => params.taskId,
  }
  const handler = changeHandler<Request>(ctx, {
    activity,
    require: (wanted, call) => requireTask(ctx, wanted, call),
    apply: async (change, _body, call) =>
      describeTask(await moveTask(ctx, { ...change, move }, call)),
  })
  app.post(`/housekeeping/tasks/:taskId/${move}`, { config, schema }, handler)
}
