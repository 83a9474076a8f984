import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { Actor, CausationId, id, instant, named, text } from '../schemas.ts'

export {
  SYNC_AUDIENCE,
  SYNC_ISSUER,
  SYNC_TOKEN_MAX_SECONDS,
  SYNC_TOKEN_TYPE,
  type SyncSession,
  SyncSessionClaims,
  signSyncToken,
  verifySyncToken,
} from './session-token.ts'

/** Opaque to all but the sync service. */
const Position = Type.String({ pattern: '^[\\w.~-]{1,200}$' })

export const SyncCursor = named(
  'SyncCursor',
  Type.Object({
    deviceId: id('dev'),
    /** Up to where the device has applied changes; null before its first pull. */
    pullCursor: Type.Union([Position, Type.Null()]),
    /** The last of the device's own changes that was accepted; null before its first push. */
    pushAck: Type.Union([Position, Type.Null()]),
    version: Type.Integer({ minimum: 1 }),
    updatedAt: instant(),
  }),
)
export type SyncCursor = Static<typeof SyncCursor>

const DeviceParams = Type.Object({ deviceId: id('dev') })

export const syncContract = defineContract({
  upstream: 'sync',
  basePath: '/api/v1',
  operations: {
    getCursor: {
      method: 'GET',
      path: '/devices/:deviceId/cursor',
      summary: 'The sync cursor of a device; not found before it was first advanced',
      params: DeviceParams,
      response: SyncCursor,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.SYNC.CURSOR_NOT_FOUND'],
    },
    advanceCursor: {
      method: 'POST',
      path: '/devices/:deviceId/cursor',
      summary: 'Advance the sync cursor of a device, unless it was advanced concurrently',
      params: DeviceParams,
      body: Type.Object({
        /** 0 creates the cursor. */
        expectedVersion: Type.Integer({ minimum: 0 }),
        pullCursor: Type.Optional(Position),
        pushAck: Type.Optional(Position),
        actor: Actor,
        causationId: Type.Optional(CausationId),
      }),
      response: SyncCursor,
      tenantScoped: true,
      idempotent: true,
      errorCodes: ['MELMASTOON.SYNC.CURSOR_CONFLICT'],
    },
  },
})

export const SYNC_CHANGE_KINDS = ['room', 'task'] as const

/**
 * `POST /sync/v1/pull`, called by devices with a sync session token instead of the credentials of a
 * service, hence not an operation of the contract.
 */
export const SyncPull = {
  path: '/sync/v1/pull',
  body: Type.Object({
    propertyId: id('ppt'),
    /** Absent for all changes that are retained. */
    cursor: Type.Optional(Position),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  }),
  response: named(
    'SyncPullResponse',
    Type.Object({
      changes: Type.Array(
        Type.Object({
          kind: Type.Enum([...SYNC_CHANGE_KINDS]),
          resourceId: Type.Union([id('rmu'), id('hkt')]),
          status: text(40),
          version: Type.Integer({ minimum: 1 }),
          changedAt: instant(),
        }),
        { maxItems: 500 },
      ),
      /** Send it with the next pull. */
      cursor: Position,
      hasMore: Type.Boolean(),
      /** The cursor was too old or unknown: the device has to reload everything. */
      full: Type.Boolean(),
    }),
  ),
} as const
