import type { LakeColumn, LakeColumnType, LakeDay } from './lake.ts'
import { hashOf, lineOf } from './row-text.ts'

export const BIGQUERY_TYPES: Readonly<Record<LakeColumnType, string>> = {
  text: 'STRING',
  json: 'STRING',
  integer: 'INTEGER',
  timestamp: 'TIMESTAMP',
}

/** Rows that are there already are left as they are: the statement may be repeated. */
export function mergeDay(
  columns: readonly LakeColumn[],
  { from, into }: { readonly from: string; readonly into: string },
): string {
  const names = columns.map(({ name }) => name)
  return `MERGE INTO \`${into}\` AS target USING \`${from}\` AS loaded ON target.id = loaded.id
    WHEN NOT MATCHED THEN INSERT (${names.join(', ')})
    VALUES (${names.map((name) => `loaded.${name}`).join(', ')})`
}

/** Computed from the stored columns, as for files. */
export function selectTableChecks(
  day: LakeDay,
  columns: readonly LakeColumn[],
  table: string,
): string {
  const hash = hashOf('bigquery', 'line')
  return `SELECT CAST(COUNT(*) AS STRING) AS row_count, MIN(id) AS min_id, MAX(id) AS max_id,
      CAST(COALESCE(SUM(CAST(${hash} AS BIGNUMERIC)), 0) AS STRING) AS hash_sum
    FROM (SELECT id, ${lineOf('bigquery', columns)} AS line FROM \`${table}\`
      WHERE ${ofDay(day)})`
}

function ofDay({ table, day }: LakeDay): string {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  if (table.timeColumn === null) return `id >= '${idFloor(day)}' AND id < '${idFloor(next)}'`
  const time = table.timeColumn
  return `${time} >= TIMESTAMP '${day} 00:00:00+00' AND ${time} < TIMESTAMP '${next} 00:00:00+00'`
}

function idFloor(day: string): string {
  const hex = Date.parse(day).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
