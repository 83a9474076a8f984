import { expect, it } from 'vitest'
import { measureBareStreams } from './stream-memory.ts'

/** The long form, with 5,000 streams of the whole service, is in memory.faults.test.ts. */
it('STAFF-SSE-07 an idle stream takes at most 20 KB', async () => {
  const { usedPerStream } = await measureBareStreams(300, 300)
  expect(usedPerStream).toBeLessThan(20_000)
  // It cannot take less than its socket: the measurement works.
  expect(usedPerStream).toBeGreaterThan(2_000)
})
