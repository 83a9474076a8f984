import { describe, expect, it } from 'vitest'
import { forEachConcurrently } from './for-each-concurrently.ts'

/** Work that ends when the test says so. */
function startHeld(items: readonly number[], concurrent: number) {
  const started: number[] = []
  const gates = items.map(() => Promise.withResolvers<void>())
  const done = forEachConcurrently(items, concurrent, async (item) => {
    started.push(item)
    await gates[item]?.promise
  })
  return { started, gates, done }
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('concurrent work on a list', () => {
  it('starts the next item when one ends, in order, and never more than allowed', async () => {
    const { started, gates, done } = startHeld([0, 1, 2, 3, 4], 2)
    await settle()
    expect(started).toEqual([0, 1])
    gates[1]?.resolve()
    await settle()
    expect(started).toEqual([0, 1, 2])
    for (const gate of gates) gate.resolve()
    await done
    expect(started).toEqual([0, 1, 2, 3, 4])
  })

  it('starts every item at once if there are fewer than allowed', async () => {
    const { started, gates, done } = startHeld([0, 1], 8)
    await settle()
    expect(started).toEqual([0, 1])
    for (const gate of gates) gate.resolve()
    await done
  })

  it('reports a failure and leaves out no item', async () => {
    const failure = new Error('no')
    const seen: number[] = []
    const done = forEachConcurrently([0, 1, 2, 3], 2, async (item) => {
      seen.push(item)
      if (item === 0) throw failure
    })
    await expect(done).rejects.toBe(failure)
    await settle()
    expect(seen).toEqual([0, 1, 2, 3])
  })
})
