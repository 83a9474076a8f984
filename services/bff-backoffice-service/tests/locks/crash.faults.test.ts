import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CRASH_POINTS, crashAt, expectOneEffect, unrecorded } from './crash.ts'
import { type Locks, startLocks } from './lock-fixture.ts'

let locks: Locks
beforeAll(async () => {
  locks = await startLocks()
})
afterAll(() => locks[Symbol.asyncDispose]())

describe.each(['issue', 'revoke'] as const)('STAFF-LOCK-01 %s', (action) => {
  it.each(CRASH_POINTS)(
    'a crash at %s: no command without a row, and one effect',
    async (point) => {
      const crash = await crashAt(locks, { point, action })
      expect(await unrecorded(locks, crash.stay)).toEqual([])
      await expectOneEffect(locks, crash, action)
    },
    90_000,
  )
})
