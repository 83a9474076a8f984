import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, problem, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { SyncPull, SyncSession } from '@melmastoon/upstream-contracts/sync'
import type { Static } from 'typebox'
import { type ChangeRow, type FeedRow, selectChanges, selectFeed } from './change-sql.ts'

export type PullRequest = Static<typeof SyncPull.body>
export type PullResponse = Static<typeof SyncPull.response>

const LIMIT_DEFAULT = 200
const CURSOR = /^([\w-]{1,40})\.(\d{1,18})$/
/** The cursor of a property without any changes. */
const EMPTY: FeedRow = { epoch: 'none', last_seq: '0', pruned_seq: '0' }

/** Changes since the cursor, to the properties that the token admits. */
export async function pullChanges(
  db: Database,
  { tenantId, propertyIds }: SyncSession,
  { propertyId, cursor, limit = LIMIT_DEFAULT }: PullRequest,
): Promise<PullResponse> {
  if (!propertyIds.includes(propertyId)) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  const [tenant, property] = [idToUuid(tenantId), idToUuid(propertyId)]
  const scoped = db.scoped(tenantId)
  const [feed = EMPTY] = await scoped.query(selectFeed(tenant, property))
  const known = positionIn(feed, cursor)
  const after = known ?? 0n
  const rows = await scoped.query(selectChanges({ tenant, property, after }, limit + 1))
  const page = rows.slice(0, limit)
  const last = page.at(-1)?.seq ?? String(after)
  return {
    changes: page.map(toChange),
    cursor: `${feed.epoch}.${last}`,
    hasMore: rows.length > limit,
    full: known === null,
  }
}

/** Null without a cursor, for one of another epoch, and for one older than the retained changes. */
function positionIn(feed: FeedRow, cursor: string | undefined): bigint | null {
  const [, epoch, seq] = CURSOR.exec(cursor ?? '') ?? []
  if (epoch !== feed.epoch || seq === undefined) return null
  const position = BigInt(seq)
  const isKnown = position >= BigInt(feed.pruned_seq) && position <= BigInt(feed.last_seq)
  return isKnown ? position : null
}

function toChange(row: ChangeRow): PullResponse['changes'][number] {
  const { kind, resource_id, status, version } = row
  const resourceId = kind === 'room' ? uuidToId('rmu', resource_id) : uuidToId('hkt', resource_id)
  return { kind, resourceId, status, version, changedAt: toIsoDateTime(row.changed_at) }
}
