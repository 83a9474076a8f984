import { problem } from '@melmastoon/domain'
import { type Clock, createDeadline, type Deadline } from '../clock/index.ts'
import { type CacheEntry, type EntryFacts, makeEntry } from './cache-entry.ts'
import type { ResolvedPolicy } from './cache-policy.ts'
import { planLifetime } from './freshness.ts'

export interface LoadResult {
  body: Buffer | string
  contentType?: string
  headers?: Readonly<Record<string, string>>
  /** Properties of the body, readable without parsing it. Stored with the entry, never sent. */
  facts?: EntryFacts
  /** 200 and 404 are cached; any other status is served once. */
  status?: number
  /**
   * Shorter than the policy's soft TTL, for incomplete content: afterwards it is
   * served only when a load fails.
   */
  freshForMs?: number
}

/** The signal is aborted at the load's deadline, not when the first request ends. */
export type Load = (signal: AbortSignal, deadline: Deadline) => Promise<LoadResult>

interface LoadedEntry {
  entry: CacheEntry
  cacheable: boolean
}

interface LoadContext {
  policy: ResolvedPolicy
  clock: Clock
  random: () => number
  /** The compressed form that is made first. */
  form: 'zstd' | 'br'
}

/** A larger body is served, but neither compressed nor cached. */
const ENTRY_BYTES_MAX = 5 * 1024 * 1024

export async function loadEntry(load: Load, context: LoadContext): Promise<LoadedEntry> {
  const { policy, clock, random, form } = context
  const startedAtMs = clock.nowMs()
  const startedMs = clock.monotonicMs()
  const result = await loadInTime(load, policy.loadTimeoutMs)
  const loadMs = Math.ceil(clock.monotonicMs() - startedMs)
  const status = result.status ?? 200
  const body = toBuffer(result.body)
  const timing = { status, startedAtMs, loadMs, random: random(), freshForMs: result.freshForMs }
  const lifetime = planLifetime(policy, timing)
  const cacheable =
    (status === 200 || status === 404) &&
    body.length <= ENTRY_BYTES_MAX &&
    lifetime.hardExpiryMs > clock.nowMs()
  const headers = { 'content-type': result.contentType ?? 'application/json', ...result.headers }
  const source = { body, status, headers, facts: result.facts ?? {}, lifetime }
  const { isSent } = policy
  return { entry: await makeEntry(source, { compress: cacheable, form, isSent }), cacheable }
}

async function loadInTime(load: Load, timeoutMs: number): Promise<LoadResult> {
  const deadline = createDeadline(timeoutMs)
  const late = Promise.withResolvers<never>()
  const onAbort = () =>
    late.reject(problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT', { cause: deadline.signal.reason }))
  deadline.signal.addEventListener('abort', onAbort, { once: true })
  try {
    // The race also limits a load that ignores its signal.
    return await Promise.race([load(deadline.signal, deadline), late.promise])
  } finally {
    deadline.signal.removeEventListener('abort', onAbort)
    deadline[Symbol.dispose]()
  }
}

function toBuffer(body: Buffer | string): Buffer {
  if (typeof body === 'string') return unpooled(body)
  if (Buffer.isBuffer(body)) return body
  throw new TypeError('the body of a load must be a Buffer or a string')
}

/** A small buffer from the pool would keep the whole pool in memory for as long as the entry. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
