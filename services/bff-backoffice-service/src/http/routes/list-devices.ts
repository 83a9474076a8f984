import type { App } from '@melmastoon/chassis/http'
import { type DeviceId, idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { DEVICE_PLATFORMS } from '@melmastoon/upstream-contracts/iam'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { listDevices } from '../../devices/list-devices.ts'
import { PendingActionVM } from '../pending-action.ts'

const STATUSES = ['online', 'offline', 'never_seen'] as const
const instantOrNull = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const wordOrNull = Type.Union([Type.String({ maxLength: 40 }), Type.Null()])

const FleetDeviceVM = named(
  'FleetDevice',
  Type.Object({
    deviceId: Type.String({ pattern: idPattern('dev') }),
    name: Type.String({ maxLength: 80 }),
    platform: Type.Enum([...DEVICE_PLATFORMS]),
    appVersion: Type.String({ maxLength: 40 }),
    operatorId: Type.String({ pattern: idPattern('opr'), description: 'Who used it last' }),
    registeredAt: Type.String({ format: 'date-time' }),
    lastSignInAt: Type.String({ format: 'date-time' }),
    status: Type.Enum([...STATUSES], {
      description: 'offline: no heartbeat for five minutes; never_seen: none at all',
    }),
    lastHeartbeatAt: instantOrNull,
    lastSyncHandshakeAt: instantOrNull,
    cursorVersion: Type.Integer({ minimum: 0 }),
    installerChannel: wordOrNull,
    networkProfile: wordOrNull,
    pendingHints: Type.Array(PendingActionVM),
  }),
)

const schema = {
  querystring: Type.Object({
    propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
    status: Type.Optional(Type.Enum([...STATUSES])),
    cursor: Type.Optional(Type.Unsafe<DeviceId>(Type.String({ pattern: idPattern('dev') }))),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
  }),
  response: {
    200: named(
      'Fleet',
      Type.Object({
        rows: Type.Array(FleetDeviceVM),
        page: Type.Object({
          nextCursor: Type.Union([Type.String(), Type.Null()], {
            description: 'A page may have fewer rows than `limit`, also with a next one',
          }),
        }),
      }),
    ),
  },
}

/** The devices of a property, for managers (B7). */
export function listDevicesRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.device.list',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/devices', { config, schema }, async ({ operator, query, deadline, trace }, reply) => {
    reply.header('cache-control', 'private, no-store')
    const { rows, nextCursor } = await listDevices(ctx, { operator, query }, { deadline, trace })
    const pageRows = rows.map((row) => ({ ...row, pendingHints: [...row.pendingHints] }))
    return { rows: pageRows, page: { nextCursor } }
  })
}
