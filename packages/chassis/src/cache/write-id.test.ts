import { expect, it } from 'vitest'
import { newWriteId } from './write-id.ts'

it('is different each time, also when the pool is filled again', () => {
  const ids = Array.from({ length: 5_000 }, newWriteId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[\w-]{8}$/.test(id))).toEqual([])
})
