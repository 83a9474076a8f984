import type { AllocationItem } from '@melmastoon/upstream-contracts/inventory'

/** Each room type once, in ascending order: one statement cannot count a night up twice. */
export function mergeItems(items: readonly AllocationItem[]): AllocationItem[] {
  const rooms = new Map<AllocationItem['roomTypeId'], number>()
  for (const item of items)
    rooms.set(item.roomTypeId, (rooms.get(item.roomTypeId) ?? 0) + item.rooms)
  return [...rooms]
    .map(([roomTypeId, count]) => ({ roomTypeId, rooms: count }))
    .toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1))
}
