import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { noteHandshake } from '../../devices/device-sql.ts'
import { startSyncSession } from '../../sync/start-sync-session.ts'
import { readCursor } from '../../sync/sync-cursor.ts'
import { staffCall } from '../staff-call.ts'
import { staffMutation } from '../staff-mutation.ts'
import { SyncCursorVM } from '../sync-cursor-schema.ts'

const SyncSessionVM = named(
  'SyncSession',
  Type.Object({
    token: Type.String({ description: 'For the sync service, as `Authorization: Bearer`' }),
    expiresAt: Type.String({ format: 'date-time' }),
    serverTime: Type.String({ format: 'date-time' }),
    cursor: SyncCursorVM,
  }),
)

const schema = {
  body: named(
    'StartSyncSessionRequest',
    Type.Object({
      propertyIds: Type.Array(Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
      }),
    }),
  ),
  response: { 200: SyncSessionVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'sync',
  action: 'sync.handshake',
  resourceKind: 'device',
  resourceId: ({ operator }: Request) => operator.deviceId,
}

/** A token for the sync service, for this device and fifteen minutes (B8). */
export function startSyncSessionRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.sync.handshake',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, body } = request
    const call = staffCall(ctx, request, { claim, work, step: 'handshake' })
    const [session, cursor] = await Promise.all([
      startSyncSession(ctx, { ...body, operator }, call),
      readCursor(ctx, operator, call),
    ])
    const { token, expiresAt, event } = session
    return {
      furtherEffects: [noteHandshake(operator)],
      events: [event],
      response: { status: 200, body: { token, expiresAt, serverTime: ctx.clock.now(), cursor } },
    }
  })
  app.post('/sync/handshake', { config, schema }, handler)
}
