import { expect, it } from 'vitest'
import { measureService } from './stream-memory.ts'

it('STAFF-SSE-07 5,000 idle streams take at most 20 KB each', { timeout: 600_000 }, async () => {
  const result = await measureService(5_000)
  process.stdout.write(`${JSON.stringify(result)}\n`)
  expect(result.usedPerStream).toBeLessThan(20_000)
  expect(result.rssPerStream).toBeLessThan(20_000)
  // The whole process, with what it remembers of 5,000 devices.
  expect(result.rss).toBeLessThan(500 * 1_048_576)
  expect(result.lastEventMs).toBeLessThan(2_000)
})
