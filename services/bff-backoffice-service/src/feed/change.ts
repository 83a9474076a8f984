import type { Cache } from '@melmastoon/chassis/cache'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import { BOARDS_OF_SOURCE, type BoardSource, sourceTag } from '../boards/board-key.ts'
import type { Channel } from '../streams/channels.ts'
import type { StreamEvent } from '../streams/stream-event.ts'
import type { Streams } from '../streams/streams.ts'

export interface FeedDeps {
  readonly cache: Pick<Cache, 'invalidate'>
  readonly streams: Pick<Streams, 'publish'>
}

/** What a platform event means to the back office. */
export interface Change {
  readonly tenantId: TenantId
  /** Of the cache entries that are outdated now. */
  readonly tags: readonly string[]
  readonly events: readonly StreamEvent[]
}

/** First the caches: a device that is notified reads the new state. Repeating it does no harm. */
export async function applyChange(
  { cache, streams }: FeedDeps,
  { tenantId, tags, events }: Change,
): Promise<void> {
  if (tags.length > 0) await cache.invalidate(tags)
  if (events.length > 0) await streams.publish(tenantId, events)
}

export interface PropertyRef {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/** Every board that shows the list, except `today`, which has no channel: it counts the others. */
export function boardChange(
  { tenantId, propertyId }: PropertyRef,
  source: BoardSource,
  { type, data }: Pick<StreamEvent, 'type' | 'data'>,
): Change {
  const channels = BOARDS_OF_SOURCE[source].filter((board) => board !== 'today')
  return {
    tenantId,
    tags: [sourceTag({ tenantId, propertyId }, source)],
    events: channels.map((channel) => ({ channel, propertyId, type, data })),
  }
}

export function withChannel(change: Change, channel: Channel): Change {
  const [first] = change.events
  if (first === undefined) return change
  return { ...change, events: [...change.events, { ...first, channel }] }
}
