import { hash } from 'node:crypto'
import type { IsoDate } from '@melmastoon/domain'
import type { BoardRow } from './board-rows.ts'

/** A board as it is cached: everything but what depends on the moment of the response. */
export interface StoredBoard {
  readonly businessDate: IsoDate
  readonly asOf: string
  readonly degraded: readonly string[]
  /** A list is older than usual, because its upstream does not respond. */
  readonly isStale: boolean
  /** A list was read from its upstream for it. */
  readonly isLive: boolean
  readonly rows: readonly BoardRow[]
}

/** Row id → hash of its text. */
export type RowHashes = ReadonlyMap<string, string>

/** A board whose rows are serialised once, so that responses are joined from them. */
export interface BoardContent extends Omit<StoredBoard, 'rows'> {
  readonly rows: ReadonlyMap<string, string>
  readonly hashes: RowHashes
  /** Changes with any row and with their order. */
  readonly version: string
}

const HASH_CHARS = 16

export function toContent({ rows, ...board }: StoredBoard): BoardContent {
  const texts = new Map(rows.map((row) => [row.id, JSON.stringify(row)]))
  const hashes = new Map([...texts].map(([id, text]) => [id, shortHash(text)]))
  return { ...board, rows: texts, hashes, version: shortHash(JSON.stringify([...hashes])) }
}

function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASH_CHARS)
}

export interface BoardChange {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
}

/** What turns the rows with these hashes into the present ones. */
export function changesSince(content: BoardContent, known: RowHashes): BoardChange {
  return {
    changed: [...content.rows]
      .filter(([id]) => known.get(id) !== content.hashes.get(id))
      .map(([, text]) => text),
    removed: [...known.keys()].filter((id) => !content.rows.has(id)),
  }
}
