import { rawSql, type SqlFragment } from '@melmastoon/chassis/db'

/**
 * The rooms that other channels have sold in a night without a row: an expression over the columns
 * `channel_from` and `channel_sold` of a room type.
 */
export function channelSold(roomType: string, night: string): SqlFragment {
  return rawSql(
    `coalesce(${roomType}.channel_sold[${night} - ${roomType}.channel_from + 1], 0)::int`,
  )
}
