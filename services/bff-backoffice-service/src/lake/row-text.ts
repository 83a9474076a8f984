import type { LakeColumn, LakeColumnType } from './lake.ts'

/** Expressions of one SQL dialect; `name` is the name of a column of ours. */
interface Dialect {
  readonly text: (name: string, type: LakeColumnType) => string
  readonly hash: (line: string) => string
}

const quoted = (value: string) => `'"' || replace(${value}, '"', '""') || '"'`

const POSTGRES: Dialect = {
  text(name, type) {
    if (type === 'integer') return `${name}::text`
    if (type === 'timestamp') return `(extract(epoch from ${name}) * 1000000)::bigint::text`
    return quoted(`${name}::text`)
  },
  hash: (line) => `('x' || substr(md5(${line}), 1, 15))::bit(60)::bigint`,
}

const DUCKDB: Dialect = {
  text(name, type) {
    if (type === 'integer') return `${name}::varchar`
    if (type === 'timestamp') return `epoch_us(${name})::varchar`
    return quoted(name)
  },
  hash: (line) => `('0x' || substr(md5(${line}), 1, 15))::bigint`,
}

const BIGQUERY: Dialect = {
  text(name, type) {
    if (type === 'integer') return `CAST(${name} AS STRING)`
    if (type === 'timestamp') return `CAST(UNIX_MICROS(${name}) AS STRING)`
    return quoted(name)
  },
  hash: (line) => `CAST(CONCAT('0x', SUBSTR(TO_HEX(MD5(${line})), 1, 15)) AS INT64)`,
}

const DIALECTS = { postgres: POSTGRES, duckdb: DUCKDB, bigquery: BIGQUERY } as const

/**
 * A row as a line of CSV, the same in all three: null is empty, text is quoted, times are
 * microseconds. Two different rows have different lines, so that equal sums of hashes mean equal
 * content; Postgres sends the lines, and DuckDB and BigQuery compute them from what they store.
 */
export function lineOf(dialect: keyof typeof DIALECTS, columns: readonly LakeColumn[]): string {
  const { text } = DIALECTS[dialect]
  return columns.map(({ name, type }) => `coalesce(${text(name, type)}, '')`).join(` || ',' || `)
}

/** Sixty bits of the hash of a line, as an integer. */
export function hashOf(dialect: keyof typeof DIALECTS, line: string): string {
  return DIALECTS[dialect].hash(line)
}
