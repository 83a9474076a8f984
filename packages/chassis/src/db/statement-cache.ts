import type { Connection } from 'pg'
import type { ColumnParser } from './row-types.ts'

const STATEMENTS_MAX = 256

export interface Column {
  readonly name: string
  readonly parse: ColumnParser
}

/** The state of one statement text on one connection. */
export interface Prepared {
  readonly name: string
  /** The server executed it once, so the statement exists there under `name`. */
  ready: boolean
  /** An error hid whether Parse succeeded: Close it before parsing again. */
  doubtful: boolean
  /** Fixed for a prepared statement: Postgres rejects a changed result type (0A000). */
  columns: readonly Column[] | undefined
}

/**
 * One per connection, by statement text. pg's own cache has room for one statement per query
 * object, and a pipeline carries two.
 */
export class StatementCache {
  readonly #statements = new Map<string, Prepared>()
  #counter = 0

  find(text: string, label: string | undefined): { prepared: Prepared; evicted?: string } {
    const known = this.#statements.get(text)
    if (known !== undefined) return { prepared: known }
    this.#counter += 1
    const name = `${label?.slice(0, 40) ?? 's'}_${this.#counter}`
    const prepared: Prepared = { name, ready: false, doubtful: false, columns: undefined }
    this.#statements.set(text, prepared)
    const evicted = this.#evictOldest()
    return evicted === undefined ? { prepared } : { prepared, evicted }
  }

  #evictOldest(): string | undefined {
    if (this.#statements.size <= STATEMENTS_MAX) return undefined
    for (const [text, prepared] of this.#statements) {
      this.#statements.delete(text)
      return prepared.name
    }
    return undefined
  }
}

const caches = new WeakMap<Connection, StatementCache>()

export function statementCacheOf(connection: Connection): StatementCache {
  let cache = caches.get(connection)
  if (cache === undefined) {
    cache = new StatementCache()
    caches.set(connection, cache)
  }
  return cache
}

export function unnamed(): Prepared {
  return { name: '', ready: false, doubtful: false, columns: undefined }
}
