import type { IdPrefix } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import type { PresentedCookie, Session } from './session.ts'

interface Derived<T, P extends IdPrefix> {
  readonly from: readonly unknown[]
  readonly session: Session<T, P>
}

/** Fewer than sessions are cached: the data of these takes memory, and can be derived again. */
const SESSIONS_MAX = 5_000
const TEXT_LENGTH_MAX = 512

/**
 * Sessions for which nothing is stored have the data of their request. A guest that sends the same
 * values again has the same session object.
 */
export class InitialSessions<T, P extends IdPrefix> {
  readonly #derived = new LRUCache<string, Derived<T, P>>({ max: SESSIONS_MAX })

  withData(
    known: Session<T | null, P>,
    { initialData, initialFrom }: Pick<PresentedCookie<T, P>, 'initialData' | 'initialFrom'>,
  ): Session<T, P> {
    if (hasData(known)) return known
    const { id, version } = known
    if (initialFrom === undefined) return { id, version, data: initialData(id) }
    const seen = this.#derived.get(id)
    if (seen?.session.version === version && isSame(seen.from, initialFrom)) return seen.session
    const session = { id, version, data: initialData(id) }
    if (initialFrom.every(isShort)) this.#derived.set(id, { from: initialFrom, session })
    return session
  }
}

function hasData<T, P extends IdPrefix>(known: Session<T | null, P>): known is Session<T, P> {
  return known.data !== null
}

/** Headers of any length are not kept in memory. */
function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= TEXT_LENGTH_MAX
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}
