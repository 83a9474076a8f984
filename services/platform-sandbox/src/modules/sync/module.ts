import { systemClock } from '@melmastoon/chassis/clock'
import { type DeviceId, problem, type TenantId } from '@melmastoon/domain'
import { syncContract, verifySyncToken } from '@melmastoon/upstream-contracts/sync'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { changeHandlers } from './change-handlers.ts'
import {
  advanceCursor,
  type DeviceCursor,
  readCursor,
  recentCursors,
  resetCursor,
  type SyncOperations,
} from './cursors.ts'
import { type PullRequest, type PullResponse, pullChanges } from './pull-changes.ts'

export { CURSOR_CONFLICT_SCENARIO, type DeviceCursor } from './cursors.ts'

const RECENT_ROWS = 20

export interface SyncModule extends ServedModule<SyncOperations> {
  /** For devices. Throws `SYNC.TOKEN_INVALID` unless the back office has signed the token. */
  pull(token: string, request: PullRequest): Promise<PullResponse>
  /** Of all tenants, the most recently changed first. */
  recentCursors(): Promise<DeviceCursor[]>
  /** For demonstrations: the device has to start again. */
  resetCursor(tenantId: TenantId, deviceId: DeviceId): Promise<void>
}

/** The cursors of devices, and the changes that they pull. */
export function createSyncModule({ db, relayDb, config }: ModuleHost): SyncModule {
  const keys = config.syncTokenKeys
  return {
    contract: syncContract,
    async pull(token, request) {
      const session = await verifySyncToken(token, { keys, now: systemClock.now() })
      if (session === null) throw problem('MELMASTOON.SYNC.TOKEN_INVALID')
      return await pullChanges(db, session, request)
    },
    recentCursors: () => recentCursors(relayDb, RECENT_ROWS),
    resetCursor: (tenantId, deviceId) => resetCursor(db, tenantId, deviceId),
    subscriptions: changeHandlers,
    handlers: {
      getCursor: ({ params }, { tenantId }) => readCursor(db, tenantId, params.deviceId),
      advanceCursor: (input, call) => advanceCursor(db, input, call),
    },
  }
}
