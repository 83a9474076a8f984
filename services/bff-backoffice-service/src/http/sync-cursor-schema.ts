import { named } from '@melmastoon/upstream-contracts'
import { SyncCursor } from '@melmastoon/upstream-contracts/sync'
import { Type } from 'typebox'

const { deviceId, pullCursor, pushAck } = SyncCursor.properties

export const SyncCursorVM = named(
  'DeviceSyncCursor',
  Type.Object({
    deviceId,
    pullCursor,
    pushAck,
    version: Type.Integer({ minimum: 0, description: '0 before the first pull' }),
  }),
)

/** Opaque to all but the sync service. */
export const Position = Type.String({ pattern: '^[\\w.~-]{1,200}$' })
