import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, problem, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { SyncPull, SyncSession } from '@melmastoon/upstream-contracts/sync'
import type { Static } from 'typebox'
import { type ChangeRow, selectChanges } from './change-sql.ts'

export type PullRequest = Static<typeof SyncPull.body>
export type PullResponse = Static<typeof SyncPull.response>

const LIMIT_DEFAULT = 200
const CURSOR = /^([\w-]{1,40})\.(\d{1,18})$/
/** In the cursor of a property without any changes. */
const NO_EPOCH = 'none'

/** Changes since the cursor, to the properties that the token admits. */
export async function pullChanges(
  db: Database,
  { tenantId, propertyIds }: SyncSession,
  { propertyId, cursor, limit = LIMIT_DEFAULT }: PullRequest,
): Promise<PullResponse> {
  if (!propertyIds.includes(propertyId)) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const [, epoch = null, seq = null] = CURSOR.exec(cursor ?? '') ?? []
  const position = { tenant: idToUuid(tenantId), property: idToUuid(propertyId), epoch, seq }
  const rows = await db.scoped(tenantId).query(selectChanges(position, limit + 1))
  const changes = rows.flatMap(({ change }) => change ?? [])
  const page = changes.slice(0, limit)
  const known = rows[0]?.known_seq ?? null
  return {
    changes: page.map(toChange),
    cursor: `${rows[0]?.epoch ?? NO_EPOCH}.${page.at(-1)?.seq ?? known ?? '0'}`,
    hasMore: changes.length > limit,
    full: known === null,
  }
}

function toChange(row: ChangeRow): PullResponse['changes'][number] {
  const { kind, resource_id, status, version } = row
  const resourceId = kind === 'room' ? uuidToId('rmu', resource_id) : uuidToId('hkt', resource_id)
  return { kind, resourceId, status, version, changedAt: toIsoDateTime(new Date(row.changed_at)) }
}
