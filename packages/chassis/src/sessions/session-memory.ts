import type { IdPrefix } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/index.ts'
import type { Session } from './session.ts'

/** The copies of sessions that this process has read recently. */
export interface SessionMemory<T, P extends IdPrefix> {
  /** How many copies there are, outdated ones included. */
  readonly size: number
  /** From now on changes are received: what is read later can be confirmed. */
  subscribed(): void
  /** Every change before this time (monotonic) was received: unchanged copies are still current. */
  confirm(atMs: number): void
  /** Null unless this exact cookie was verified before. */
  get(id: string, cookieKey: string): Session<T, P> | null
  /** While Redis is unavailable an outdated copy is used for a minute. */
  getStale(id: string, cookieKey: string): Session<T, P> | null
  /** For changes that start from the copy. */
  find(id: string): Session<T, P> | null
  /** Replaces the copy, if there is one, after a change by this process. */
  renew(session: Session<T, P>): void
  /** Caches what `read` finds, unless the session was changed while it was being read. */
  fill(
    id: string,
    cookieKey: string,
    read: () => Promise<Session<T, P> | null>,
  ): Promise<Session<T, P> | null>
  /** Does nothing if the copy has that version or a later one. */
  forget(id: string, version?: number): void
  clear(): void
}

interface Copy<T, P extends IdPrefix> {
  readonly session: Session<T, P>
  readonly readAtMs: number
  /** During a rotation of keys a session has one per key. */
  readonly cookieKeys: Set<string>
}

/** A read in progress; there may be several of one session. */
interface Reading {
  /** The newest version of which this process was notified meanwhile. */
  newestVersion: number
}

export interface SessionMemoryOptions {
  readonly clock: Clock
  /** For how long after it was read or confirmed a copy may be used. */
  readonly memoryMs: number
  /** For how long after it was read a copy may be used while it is confirmed. */
  readonly confirmedMemoryMs: number
}

/** At the bound the least recently used session is read from Redis again. */
const SESSIONS_MAX = 50_000
const STALE_FOR_MS = 60_000

/**
 * A copy is outdated by at most `memoryMs`: it was current when it was read, and it was still
 * current when the reception of changes was last confirmed, because a change removes it.
 */
export function createSessionMemory<T, P extends IdPrefix>(
  options: SessionMemoryOptions,
): SessionMemory<T, P> {
  const { clock, memoryMs, confirmedMemoryMs } = options
  const copies = new LRUCache<string, Copy<T, P>>({ max: SESSIONS_MAX })
  const reading = new RunningReads()
  let subscribedAtMs = Number.POSITIVE_INFINITY
  let confirmedAtMs = Number.NEGATIVE_INFINITY

  function freshUntilMs({ readAtMs }: Copy<T, P>): number {
    if (readAtMs < subscribedAtMs) return readAtMs + memoryMs
    const confirmedUntilMs = Math.min(readAtMs + confirmedMemoryMs, confirmedAtMs + memoryMs)
    return Math.max(readAtMs + memoryMs, confirmedUntilMs)
  }

  function copyOf(id: string, extraMs: number): Copy<T, P> | null {
    const copy = copies.get(id)
    return copy === undefined || freshUntilMs(copy) + extraMs < clock.monotonicMs() ? null : copy
  }

  function within(id: string, cookieKey: string, extraMs: number): Session<T, P> | null {
    const copy = copyOf(id, extraMs)
    return copy?.cookieKeys.has(cookieKey) ? copy.session : null
  }

  function put(copy: Copy<T, P>): void {
    const { session } = copy
    const known = copies.peek(session.id)
    const isLate = known !== undefined && known.session.version > session.version
    // A store that lost the newer version is trusted once the copy is no longer fresh.
    if (isLate && freshUntilMs(known) >= clock.monotonicMs()) return
    copies.set(session.id, copy)
  }

  return {
    get size() {
      return copies.size
    },
    subscribed() {
      subscribedAtMs = clock.monotonicMs()
    },
    confirm(atMs) {
      confirmedAtMs = Math.max(confirmedAtMs, atMs)
    },
    get: (id, cookieKey) => within(id, cookieKey, 0),
    getStale: (id, cookieKey) => within(id, cookieKey, STALE_FOR_MS),
    find: (id) => copyOf(id, 0)?.session ?? null,
    renew(session) {
      reading.noteVersion(session.id, session.version)
      const known = copies.peek(session.id)
      if (known !== undefined) put({ ...known, session })
    },
    async fill(id, cookieKey, read) {
      const readAtMs = clock.monotonicMs()
      const current = reading.begin(id)
      try {
        const session = await read()
        const cookieKeys = copies.peek(id)?.cookieKeys ?? new Set()
        const isNewest = session !== null && session.version >= current.newestVersion
        if (isNewest) put({ session, readAtMs, cookieKeys: cookieKeys.add(cookieKey) })
        return session
      } finally {
        reading.end(id, current)
      }
    },
    forget(id, version = Number.POSITIVE_INFINITY) {
      reading.noteVersion(id, version)
      const known = copies.peek(id)
      if (known !== undefined && known.session.version < version) copies.delete(id)
    },
    clear() {
      reading.noteAll()
      copies.clear()
    },
  }
}

class RunningReads {
  readonly #reads = new Map<string, Set<Reading>>()

  begin(id: string): Reading {
    const read: Reading = { newestVersion: 0 }
    const reads = this.#reads.get(id) ?? new Set()
    this.#reads.set(id, reads.add(read))
    return read
  }

  end(id: string, read: Reading): void {
    const reads = this.#reads.get(id)
    reads?.delete(read)
    if (reads?.size === 0) this.#reads.delete(id)
  }

  noteVersion(id: string, version: number): void {
    for (const read of this.#reads.get(id) ?? []) {
      read.newestVersion = Math.max(read.newestVersion, version)
    }
  }

  /** Any session may have changed. */
  noteAll(): void {
    for (const id of this.#reads.keys()) this.noteVersion(id, Number.POSITIVE_INFINITY)
  }
}
