import type { CallOptions, Database } from '@melmastoon/chassis/db'
import { type Id, newId, normalizeDateTime } from '@melmastoon/domain'
import type { Operator } from '../access/operator.ts'
import { insertHint } from './device-sql.ts'

/** Actions of one kind that wait on a device until it is online. */
export interface PendingAction {
  readonly name: string
  readonly count: number
  readonly oldestAt?: string
}

export interface OfflineHints {
  readonly operator: Operator
  readonly appVersion: string
  /** Everything that waits; empty after the device has sent it. */
  readonly actions: readonly PendingAction[]
}

/** For information only (B10): what waits on a device has no effect before it is sent. */
export async function reportHints(
  { db }: { readonly db: Database },
  { operator, appVersion, actions }: OfflineHints,
  options: CallOptions,
): Promise<{ hintId: Id<'oaq'>; reportedAt: Date }> {
  const { tenantId, operatorId, deviceId } = operator
  const id = newId('oaq')
  const row = {
    id,
    tenantId,
    operatorId,
    deviceId,
    appVersion,
    payload: { actions: actions.map(normalize) },
  }
  const [stored] = await db.tenantQuery(tenantId, insertHint(row), options)
  if (stored === undefined) throw new TypeError('a hint wrote no row')
  return { hintId: id, reportedAt: stored.reported_at }
}

const normalize = ({ oldestAt, ...rest }: PendingAction): PendingAction => ({
  ...rest,
  ...(oldestAt !== undefined && { oldestAt: normalizeDateTime(oldestAt) }),
})
