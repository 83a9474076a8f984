import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { advanceCursor } from '../../sync/sync-cursor.ts'
import { staffCall } from '../staff-call.ts'
import { staffMutation } from '../staff-mutation.ts'
import { Position, SyncCursorVM } from '../sync-cursor-schema.ts'

const schema = {
  body: named(
    'AdvanceSyncCursorRequest',
    Type.Object({
      expectedVersion: Type.Integer({ minimum: 0, description: 'The version that was read' }),
      pullCursor: Type.Optional(Position),
      pushAck: Type.Optional(Position),
    }),
  ),
  response: { 200: SyncCursorVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'sync',
  action: 'sync.cursor_advance',
  resourceKind: 'device',
  resourceId: ({ operator }: Request) => operator.deviceId,
}

/** Advances the cursor of the device that asks, unless it has changed since it was read (B8). */
export function advanceSyncCursorRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.sync.cursor-advance',
    problems: ['MELMASTOON.SYNC.CURSOR_CONFLICT'],
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const call = staffCall(ctx, request, { claim, work, step: 'cursor' })
    const { operator, body } = request
    const { cursor, event } = await advanceCursor(ctx, { ...body, operator }, call)
    return { events: [event], response: { status: 200, body: cursor } }
  })
  app.post('/sync/cursor', { config, schema }, handler)
}
