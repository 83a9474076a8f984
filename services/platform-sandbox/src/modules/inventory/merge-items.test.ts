import { newId } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { mergeItems } from './take-rooms.ts'

it('merges duplicate room types and sorts them in ascending order', () => {
  const [first, second] = [newId('rmt'), newId('rmt')]
  const items = [
    { roomTypeId: second, rooms: 1 },
    { roomTypeId: first, rooms: 2 },
    { roomTypeId: second, rooms: 3 },
  ]
  expect(mergeItems(items)).toEqual([
    { roomTypeId: first, rooms: 2 },
    { roomTypeId: second, rooms: 4 },
  ])
  expect(items).toHaveLength(3)
})
