import type { Deadline } from '../clock/index.ts'
import type { Cache } from './create-cache.ts'
import { memoizeDecoded } from './decoded-copies.ts'
import type { DefinedCache } from './defined-cache.ts'
import type { LoadResult } from './load-entry.ts'

export type BatchCache = DefinedCache<'ids'>

/** Long enough for processes that request the same batch at the same time. */
const BATCH_FRESH_MS = 2_000

export function defineBatches(
  cache: Cache,
  { name, loadTimeoutMs }: { name: string; loadTimeoutMs: number },
): BatchCache {
  return cache.define({
    name,
    dimensions: ['ids'],
    softTtlMs: BATCH_FRESH_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 0,
    loadTimeoutMs,
  })
}

export interface BatchRequest<Id extends string> {
  /** Caches the response of one batch call briefly, with its own single-flight. */
  cache: BatchCache
  /** Every id whose entry may have to be loaded. */
  ids: readonly Id[]
  /** Maximum number of ids per call. */
  maxPerCall: number
  tagsOf: (id: Id) => readonly string[]
  /** Bodies by id; an id without a body does not exist. */
  load: (ids: readonly Id[], deadline: Deadline) => Promise<ReadonlyMap<Id, string>>
}

/**
 * Loads single entries with as few upstream calls as possible. Every entry has its own lease, so
 * two processes that need the same ids concurrently each become leader of some of them; the batch
 * is therefore loaded through the cache too, and all processes together make one call for it.
 */
export function createBatchLoader<Id extends string>(request: BatchRequest<Id>) {
  const { cache, tagsOf, load } = request
  const batchOf = splitBatches(request)
  return async (id: Id, deadline: Deadline): Promise<LoadResult> => {
    const ids = batchOf.get(id) ?? [id]
    // The entry's own lease is enough for one id.
    if (ids.length === 1) return resultOf((await load(ids, deadline)).get(id))
    const entry = await cache.get({
      dims: { ids: ids.join(' ') },
      tags: [...new Set(ids.flatMap(tagsOf))],
      deadline,
      load: async (_signal, loadDeadline) => {
        const bodies = await load(ids, loadDeadline)
        return { body: JSON.stringify(Object.fromEntries(bodies)) }
      },
    })
    return resultOf(bodiesOf(entry.body)[id])
  }
}

/** Of a batch: each of its entries reads it. */
const bodiesOf = memoizeDecoded(
  (bytes) => JSON.parse(bytes.toString()) as Readonly<Record<string, string>>,
)

function splitBatches<Id extends string>({ ids, maxPerCall }: BatchRequest<Id>) {
  const sorted = [...new Set(ids)].toSorted()
  const batches = new Map<Id, readonly Id[]>()
  for (let at = 0; at < sorted.length; at += maxPerCall) {
    const batch = sorted.slice(at, at + maxPerCall)
    for (const id of batch) batches.set(id, batch)
  }
  return batches
}

function resultOf(body: string | undefined): LoadResult {
  return body === undefined ? { status: 404, body: '' } : { body }
}
