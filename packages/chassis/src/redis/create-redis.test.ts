import { describe, expect, it } from 'vitest'
import { reconnectDelayMs } from './create-redis.ts'

describe('reconnecting', () => {
  it('backs off to two seconds with jitter', () => {
    const longest = [1, 2, 3, 6, 7, 1_000].map((attempt) => reconnectDelayMs(attempt, 1))
    expect(longest).toEqual([50, 100, 200, 1_600, 2_000, 2_000])
    expect(reconnectDelayMs(1, 0)).toBe(25)
    expect(reconnectDelayMs(1_000, 0)).toBe(1_000)
  })
})
