import { problem } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { ChangeQueue } from './change-queue.ts'

describe('changes of one session', () => {
  it('wait for each other up to a bound; those of another one do not', async () => {
    const queue = new ChangeQueue()
    const gate = Promise.withResolvers<void>()
    const accepted = Array.from({ length: 64 }, () => queue.run('a', () => gate.promise))
    const conflict = { code: 'MELMASTOON.GENERAL.CONFLICT' }
    await expect(queue.run('a', async () => 'more')).rejects.toMatchObject(conflict)
    expect(await queue.run('b', async () => 'other')).toBe('other')
    gate.resolve()
    await Promise.all(accepted)
    expect(await queue.run('a', async () => 'again')).toBe('again')
  })

  it.each([
    ['an unavailable store fails those that wait', 'DEPENDENCY_UNAVAILABLE', 1],
    ['control: a conflict fails only its change', 'CONFLICT', 3],
  ] as const)('%s, and no later one', async (_what, name, attempted) => {
    const queue = new ChangeQueue()
    const failure = problem(`MELMASTOON.GENERAL.${name}`)
    let attempts = 0
    const change = async () => {
      attempts += 1
      throw failure
    }
    const waiting = [1, 2, 3].map(() => queue.run('a', change))
    const results = await Promise.allSettled(waiting)
    expect(results.map((result) => 'reason' in result && result.reason)).toEqual(
      Array.from({ length: 3 }, () => failure),
    )
    expect(attempts).toBe(attempted)
    expect(await queue.run('a', async () => 'later')).toBe('later')
  })
})
