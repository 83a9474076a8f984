import { describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { createTestClock } from './test-clock.ts'

describe('eventually', () => {
  it('returns the first success', async () => {
    let tries = 0
    const result = await eventually(
      () => {
        tries += 1
        if (tries < 3) throw new Error('not yet')
        return tries
      },
      { intervalMs: 1 },
    )
    expect(result).toBe(3)
  })

  it('throws the last failure after the timeout', async () => {
    const never = () => Promise.reject(new RangeError('never'))
    await expect(eventually(never, { timeoutMs: 10, intervalMs: 1 })).rejects.toThrow(RangeError)
  })
})

describe('createTestClock', () => {
  it('advances only when it is set, and a changed calendar does not affect durations', () => {
    const clock = createTestClock(new Date('2026-01-01T00:00:00Z'))
    clock.advance(1_500)
    expect(clock.now().toISOString()).toBe('2026-01-01T00:00:01.500Z')
    clock.setNow(new Date('2020-01-01T00:00:00Z'))
    expect([clock.nowMs(), clock.monotonicMs()]).toEqual([1_577_836_800_000, 1_500])
  })
})
