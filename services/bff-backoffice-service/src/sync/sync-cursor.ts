import {
  asAbsent,
  asRejectedRequest,
  type ClientOf,
  type UpstreamCall,
} from '@melmastoon/bff/upstreams'
import type { Cache, DefinedCache } from '@melmastoon/chassis/cache'
import type { Database } from '@melmastoon/chassis/db'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type DeviceId, problem } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { SyncCursor, syncContract } from '@melmastoon/upstream-contracts/sync'
import type { Operator } from '../access/operator.ts'
import { mirrorCursor } from '../devices/device-sql.ts'
import { syncCursorAdvanced } from '../events/device-events.ts'
import { causationOf, type EventDeps, type StaffCall } from '../events/staff-call.ts'

export type SyncCursorCache = DefinedCache<'tenantId' | 'deviceId'>
export type Cursor = Omit<SyncCursor, 'updatedAt'>

type SyncClient = ClientOf<typeof syncContract>

export interface ReadCursorDeps {
  readonly syncCursors: SyncCursorCache
  readonly upstreams: { readonly sync: Pick<SyncClient, 'getCursor'> }
}

export interface AdvanceCursorDeps extends ReadCursorDeps, EventDeps {
  readonly db: Database
  readonly cache: Pick<Cache, 'invalidate'>
  readonly errors: Pick<ErrorReporter, 'report'>
  readonly upstreams: { readonly sync: Pick<SyncClient, 'getCursor' | 'advanceCursor'> }
}

const FRESH_MS = 30_000

/** `cursor` of the key schema. */
export function defineSyncCursors(cache: Cache, loadTimeoutMs: number): SyncCursorCache {
  return cache.define({
    name: 'cursor',
    dimensions: ['tenantId', 'deviceId'],
    softTtlMs: FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    jitter: 0,
    loadTimeoutMs,
  })
}

const cursorTag = (deviceId: DeviceId): string => `cursor:${deviceId}`

/** Of the operator's own device (B8); version 0 before the first pull. */
export async function readCursor(
  { syncCursors, upstreams }: ReadCursorDeps,
  { tenantId, deviceId }: Pick<Operator, 'tenantId' | 'deviceId'>,
  { deadline: requestDeadline, trace }: UpstreamCall,
): Promise<Cursor> {
  const entry = await syncCursors.get({
    dims: { tenantId, deviceId },
    tags: [cursorTag(deviceId)],
    deadline: requestDeadline,
    load: async (_signal, deadline) => {
      const found = await fetchCursor(upstreams.sync, { tenantId, deviceId }, { deadline, trace })
      return { body: JSON.stringify(found) }
    },
  })
  return JSON.parse(entry.body.toString()) as Cursor
}

async function fetchCursor(
  sync: Pick<SyncClient, 'getCursor'>,
  { tenantId, deviceId }: Pick<Operator, 'tenantId' | 'deviceId'>,
  { deadline, trace }: UpstreamCall,
): Promise<Cursor> {
  const found = await sync
    .getCursor({ params: { deviceId } }, { tenantId, deadline, trace })
    .catch(asAbsent)
  if (found === null) return { deviceId, pullCursor: null, pushAck: null, version: 0 }
  const { pullCursor, pushAck, version } = found
  return { deviceId, pullCursor, pushAck, version }
}

export interface CursorAdvance {
  readonly operator: Operator
  /** The version that was read; 0 for the first pull. */
  readonly expectedVersion: number
  readonly pullCursor?: string | undefined
  readonly pushAck?: string | undefined
}

/**
 * The sync service decides (B8); the row of the device follows. The event is to be stored with the
 * response.
 * @throws Problem SYNC.CURSOR_CONFLICT with the `current` cursor
 */
export async function advanceCursor(
  deps: AdvanceCursorDeps,
  advance: CursorAdvance,
  call: StaffCall,
): Promise<{ cursor: Cursor; event: OutboxEvent }> {
  const { operator } = advance
  const { tenantId, operatorId, deviceId } = operator
  const { pullCursor, pushAck, version } = await advanceUpstream(deps, advance, call)
  const cursor = { deviceId, pullCursor, pushAck, version }
  const { deadline, cause } = call
  await deps.db.tenantQuery(tenantId, mirrorCursor(operator, cursor), { deadline })
  await deps.cache
    .invalidate([cursorTag(deviceId)])
    .catch((error: unknown) => deps.errors.report('sync', error))
  const payload = { deviceId, operatorId, version }
  return { cursor, event: deps.registry.build(syncCursorAdvanced.subject, payload, cause) }
}

async function advanceUpstream(
  { upstreams }: AdvanceCursorDeps,
  { operator, expectedVersion, pullCursor, pushAck }: CursorAdvance,
  call: StaffCall,
): Promise<Cursor> {
  const { tenantId, operatorId, deviceId } = operator
  const body = {
    expectedVersion,
    actor: { operatorId, deviceId },
    ...(pullCursor !== undefined && { pullCursor }),
    ...(pushAck !== undefined && { pushAck }),
    ...causationOf(call),
  }
  try {
    return await upstreams.sync.advanceCursor({ params: { deviceId }, body }, { ...call, tenantId })
  } catch (error) {
    if (!isConflict(error)) return asRejectedRequest(error)
    // Not the cached one: it may be the version that has just lost.
    const current = await fetchCursor(upstreams.sync, operator, call)
    throw problem('MELMASTOON.SYNC.CURSOR_CONFLICT', { cause: error, extensions: { current } })
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof UpstreamRejection && error.code === 'MELMASTOON.SYNC.CURSOR_CONFLICT'
}
