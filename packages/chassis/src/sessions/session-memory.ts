import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock/index.ts'
import type { Session } from './session.ts'

export interface SessionMemory<T> {
  get(cookieValue: string): Session<T> | null
  /** For when Redis is away: what was known is still good for a while. */
  getStale(cookieValue: string): Session<T> | null
  /** The same by its id, for changes that begin with what is known. */
  find(id: string): Session<T> | null
  /** What a change of this process has made of a session that is remembered. */
  renew(session: Session<T>): void
  /** Keeps what `read` finds, unless the session was changed while it was being read. */
  fill(
    id: string,
    cookieValue: string,
    read: () => Promise<Session<T> | null>,
  ): Promise<Session<T> | null>
  /** Not if what is remembered is that version, or a later one. */
  forget(id: string, version?: number): void
  clear(): void
}

interface Remembered<T> {
  session: Session<T>
  freshUntilMs: number
}

/** A read under way; several of one session may be. */
interface Reading {
  changed: boolean
}

/** At the bound the least recently used session is read from Redis again. */
const SESSIONS_MAX = 50_000
const STALE_FOR_MS = 60_000

export function createSessionMemory<T>(memoryMs: number, clock: Clock): SessionMemory<T> {
  const cookieById = new Map<string, string>()
  const byCookie = new LRUCache<string, Remembered<T>>({
    max: SESSIONS_MAX,
    dispose: ({ session }, cookieValue) => {
      if (cookieById.get(session.id) === cookieValue) cookieById.delete(session.id)
    },
  })
  const reading = new Map<string, Set<Reading>>()

  function within(cookieValue: string, extraMs: number): Session<T> | null {
    const known = byCookie.get(cookieValue)
    if (known === undefined || known.freshUntilMs + extraMs < clock.monotonicMs()) return null
    return known.session
  }

  function keep(cookieValue: string, session: Session<T>): void {
    const nowMs = clock.monotonicMs()
    const known = byCookie.peek(cookieValue)
    const isLate = known !== undefined && known.session.version > session.version
    // A store that came up with less is believed once what was known has had its time.
    if (isLate && known.freshUntilMs >= nowMs) return
    byCookie.set(cookieValue, { session, freshUntilMs: nowMs + memoryMs })
    cookieById.set(session.id, cookieValue)
  }

  function markChanged(id: string): void {
    for (const mark of reading.get(id) ?? []) mark.changed = true
  }

  return {
    get: (cookieValue) => within(cookieValue, 0),
    getStale: (cookieValue) => within(cookieValue, STALE_FOR_MS),
    find(id) {
      const cookieValue = cookieById.get(id)
      return cookieValue === undefined ? null : within(cookieValue, 0)
    },
    renew(session) {
      markChanged(session.id)
      const cookieValue = cookieById.get(session.id)
      if (cookieValue !== undefined) keep(cookieValue, session)
    },
    async fill(id, cookieValue, read) {
      const mark: Reading = { changed: false }
      const marks = reading.get(id) ?? new Set()
      reading.set(id, marks.add(mark))
      try {
        const session = await read()
        if (session !== null && !mark.changed) keep(cookieValue, session)
        return session
      } finally {
        marks.delete(mark)
        if (marks.size === 0) reading.delete(id)
      }
    },
    forget(id, version = Number.POSITIVE_INFINITY) {
      markChanged(id)
      const cookieValue = cookieById.get(id)
      const known = cookieValue === undefined ? undefined : byCookie.peek(cookieValue)
      if (cookieValue === undefined || known === undefined) return
      if (known.session.version < version) byCookie.delete(cookieValue)
    },
    clear() {
      for (const marks of reading.values()) for (const mark of marks) mark.changed = true
      byCookie.clear()
    },
  }
}
