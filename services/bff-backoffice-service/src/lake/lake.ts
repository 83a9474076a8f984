/** The types that every lake has: ids and codes are text, `json` is the text of a document. */
export type LakeColumnType = 'text' | 'integer' | 'timestamp' | 'json'

export interface LakeColumn {
  readonly name: string
  readonly type: LakeColumnType
}

/** What of a table goes to the lake, and when it leaves Postgres. */
export interface LakeTable {
  readonly name: string
  /** Only these are exported (B17). The first one is `id`, a uuid. */
  readonly columns: readonly LakeColumn[]
  /** The column that decides the day; null: the id, which is a ULID, and one partition per day. */
  readonly timeColumn: string | null
  /** Rows with such an outcome will change: their day waits. */
  readonly unsettled?: readonly string[]
  /** How long rows stay in Postgres; null: for ever, as the retention of the lake. */
  readonly hotDays: number | null
}

/** `YYYY-MM-DD` in UTC. */
export type Day = string

export interface LakeDay {
  readonly table: LakeTable
  readonly day: Day
}

/** Four properties that must be equal on both sides. */
export interface Checks {
  readonly rows: number
  readonly minId: string | null
  readonly maxId: string | null
  /** The sum of the hashes of all rows, in decimal digits. */
  readonly hashSum: string
}

/** A day as it was published. */
export interface Published extends Checks {
  /** Of the file. */
  readonly sha256: string
  /** Those that the rows had at that time; the hashes are over these. */
  readonly columns: readonly LakeColumn[]
}

/** A written and checked file of one day. */
export interface DayFile extends LakeDay {
  readonly path: string
  readonly content: Published
}

/** Where regulated rows are kept for seven years. All operations may be repeated. */
export interface AuditLake {
  /** Where the file of a day is written before it is published. */
  workFolder(day: LakeDay): string
  /** Sends the file to the lake, outside of any transaction. */
  upload(file: DayFile): Promise<void>
  /** Makes the day visible to readers; local and quick. */
  publish(file: DayFile): Promise<void>
  /** What was published, without reading the rows; null: nothing. */
  published(day: LakeDay): Promise<Published | null>
  /** Reads all rows of the day again. Null when they are missing or cannot be read. */
  reread(day: LakeDay, columns: readonly LakeColumn[]): Promise<Checks | null>
}

export function isEqual(a: Checks, b: Checks | null): boolean {
  return (
    b !== null &&
    a.rows === b.rows &&
    a.minId === b.minId &&
    a.maxId === b.maxId &&
    a.hashSum === b.hashSum
  )
}
