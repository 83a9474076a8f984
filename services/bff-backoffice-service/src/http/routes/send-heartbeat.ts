import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { type DeviceId, idPattern, type PropertyId, problem } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { DEVICE_PLATFORMS } from '@melmastoon/upstream-contracts/iam'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { recordHeartbeat } from '../../devices/record-heartbeat.ts'
import { PendingActionVM } from '../pending-action.ts'
import { staffMutation } from '../staff-mutation.ts'

const HeartbeatReceiptVM = named(
  'HeartbeatReceipt',
  Type.Object({
    serverTime: Type.String({ format: 'date-time' }),
    cursorVersion: Type.Integer({ minimum: 0, description: 'Of the sync cursor, as known here' }),
    pendingHints: Type.Array(PendingActionVM, {
      description: 'What the device last reported as waiting',
    }),
  }),
)

const schema = {
  params: Type.Object({
    deviceId: Type.Unsafe<DeviceId>(Type.String({ pattern: idPattern('dev') })),
  }),
  body: named(
    'HeartbeatRequest',
    Type.Object({
      propertyId: Type.Optional(
        Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
      ),
      appVersion: Type.String({ minLength: 1, maxLength: 40 }),
      appPlatform: Type.Enum([...DEVICE_PLATFORMS]),
      installerChannel: Type.Optional(Type.Enum(['stable', 'beta', 'canary'])),
      networkProfile: Type.Optional(Type.Enum(['good', 'flaky', 'offline-recently'])),
    }),
  ),
  response: { 200: HeartbeatReceiptVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'devices',
  action: 'device.heartbeat',
  resourceKind: 'device',
  resourceId: ({ params }: Request) => params.deviceId,
}

/** A device reports that it is in use (B7); every 90 seconds, and for itself only. */
export function sendHeartbeatRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.device.heartbeat',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, _claim, work) => {
    const { operator, params, body } = request
    if (params.deviceId !== operator.deviceId) {
      throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    }
    const { deadline } = work
    const receipt = await recordHeartbeat(ctx, { ...body, operator }, { deadline })
    work.details.propertyId = body.propertyId ?? null
    return { response: { status: 200, body: receipt } }
  })
  app.post('/devices/:deviceId/heartbeat', { config, schema }, handler)
}
