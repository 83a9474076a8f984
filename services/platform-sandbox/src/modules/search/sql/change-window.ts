import { sql } from '@melmastoon/chassis/db'

/** What was written from a transaction on, some rows at a time. */
export interface ChangeWindow {
  readonly floor: string
  /** The last change of the rows before. */
  readonly afterSeq: number
  readonly limit: number
}

export function withinWindow({ floor, afterSeq, limit }: ChangeWindow) {
  return sql`where updated_xid >= ${floor}::xid8 and updated_seq > ${afterSeq}::bigint
    order by updated_seq limit ${limit}::int`
}
