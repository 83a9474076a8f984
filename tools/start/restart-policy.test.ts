import { describe, expect, it } from 'vitest'
import { createRestartPolicy, RESTART_LIMITS } from './restart-policy.ts'

describe('createRestartPolicy', () => {
  it('increases the delay up to a limit, and then gives up', () => {
    const policy = createRestartPolicy({ ...RESTART_LIMITS, maxRestarts: 4, maxDelayMs: 1000 })
    const delays = Array.from({ length: 6 }, () => policy.next(10))
    expect(delays).toEqual([250, 500, 1000, 1000, null, null])
    expect(policy.restarts()).toBe(4)
  })

  it('resets after a healthy run', () => {
    const policy = createRestartPolicy({ ...RESTART_LIMITS, maxRestarts: 1 })
    expect([policy.next(10), policy.next(RESTART_LIMITS.healthyMs), policy.next(10)]).toEqual([
      250,
      250,
      null,
    ])
  })
})
