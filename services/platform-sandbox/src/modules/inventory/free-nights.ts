import { daysBetween, type IsoDate } from '@melmastoon/domain'
import type { FreeNightsRow } from './availability-sql.ts'

/** The available rooms of one type, night by night. */
export interface FreeNights {
  readonly propertyUuid: string
  readonly roomTypeUuid: string
  readonly capacity: number
  /** Up to the last night that is not fully available. */
  readonly roomsLeft: readonly number[]
}

/** `from` is the first night of the query. */
export function toFreeNights(row: FreeNightsRow, from: IsoDate): FreeNights {
  const { capacity, days, rooms_left: left } = row
  const sold = soldByChannels(row, from)
  const nights = Math.max(sold.length, Math.max(-1, ...(days ?? [])) + 1)
  const roomsLeft = Array.from({ length: nights }, (_, night) => capacity - (sold[night] ?? 0))
  for (const [at, day] of (days ?? []).entries()) roomsLeft[day] = left?.[at] ?? capacity
  while (roomsLeft.at(-1) === capacity) roomsLeft.pop()
  const { property_id: propertyUuid, room_type_id: roomTypeUuid } = row
  return { propertyUuid, roomTypeUuid, capacity, roomsLeft }
}

/** From the first night of the query, which is not always that of the array. */
function soldByChannels(row: FreeNightsRow, from: IsoDate): number[] {
  const { channel_from: channelFrom, channel_sold: text } = row
  if (channelFrom === null || text === null || text === '{}') return []
  const sold = text.slice(1, -1).split(',').map(Number)
  const skipped = daysBetween(channelFrom, from)
  if (skipped >= 0) return sold.slice(skipped)
  return [...Array.from({ length: -skipped }, () => 0), ...sold]
}
