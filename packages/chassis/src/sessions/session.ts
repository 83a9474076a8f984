import type { IdPrefix } from '@melmastoon/domain'
import type { Clock } from '../clock/index.ts'
import type { Redis } from '../redis/index.ts'

export interface Session<T> {
  readonly id: string
  readonly version: number
  readonly data: T
}

/**
 * `unavailable` is not `none`: with Redis away a reading path may go on without a session (D22),
 * while nobody's session is declared gone.
 */
export type SessionLookup<T> =
  | { kind: 'found'; session: Session<T> }
  | { kind: 'none' }
  | { kind: 'unavailable' }

export interface SessionStoreOptions<T> {
  redis: Redis
  idPrefix: IdPrefix
  /** As other services know the key: `tnt_session:` and the like. */
  keyPrefix: string
  /** Sliding: every read that reaches Redis moves the end of life. */
  ttlSeconds: number
  /** Turns what was stored into T, or null when it is not one: such a session counts as none. */
  parse: (value: unknown) => T | null
  /** How long this process may answer from memory; changes elsewhere reach it at once anyway. */
  memoryMs?: number
  clock?: Clock
}

export interface SessionStore<T> {
  create(data: T): Promise<{ session: Session<T>; cookieValue: string }>
  /** Answers without waiting when this process has just seen the session; null when it has not. */
  loadNow(cookieValue: string): Session<T> | null
  load(cookieValue: string): Promise<SessionLookup<T>>
  /** By its id alone, for work about a guest who is not there. Her end of life stays as it is. */
  find(id: string): Promise<Session<T> | null>
  /**
   * Changes the newest version, again if somebody was quicker; null when it is gone. A change that
   * returns what it was given is none, and costs no write.
   */
  update(id: string, change: (data: T) => T | Promise<T>): Promise<Session<T> | null>
  /** What it was at the end; null when it was gone already. */
  destroy(id: string): Promise<Session<T> | null>
}
