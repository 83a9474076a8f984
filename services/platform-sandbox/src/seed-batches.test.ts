import { latch } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { batchesOf, SEED_CONNECTIONS, seedBatches } from './seed-batches.ts'

it('makes batches of at most the given size, in order', () => {
  expect([...batchesOf([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]])
  expect([...batchesOf([], 2)]).toEqual([])
})

it('seeds as many batches at once as there are connections, and prepares no others', async () => {
  const gate = latch()
  const prepared: number[] = []
  function* prepare() {
    for (const batch of [1, 2, 3, 4]) {
      prepared.push(batch)
      yield batch
    }
  }
  const seeded: number[] = []
  const done = seedBatches(prepare(), async (batch) => {
    await gate.promise
    seeded.push(batch)
  })
  expect(prepared).toHaveLength(SEED_CONNECTIONS)
  gate.open()
  await done
  expect(seeded).toEqual([1, 2, 3, 4])
})

it('reports a failure, and seeds no further batch', async () => {
  const seeded: number[] = []
  const done = seedBatches([1, 2, 3, 4, 5, 6], async (batch) => {
    seeded.push(batch)
    if (batch === 1) throw new TypeError('broken')
  })
  await expect(done).rejects.toThrow('broken')
  expect(seeded).not.toContain(6)
})
