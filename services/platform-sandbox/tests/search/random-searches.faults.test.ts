import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSearches } from './random-searches.ts'
import { startSearch, worldOf } from './start-search.ts'

const world = worldOf(200)
const PATIENCE_MS = 300_000
let running: Awaited<ReturnType<typeof startSearch>>

beforeAll(async () => {
  running = await startSearch(world)
}, PATIENCE_MS)
afterAll(() => running[Symbol.asyncDispose]())

describe('C17 300 random searches', () => {
  it('show prices inside their filters, in order, that can be held', {
    timeout: PATIENCE_MS,
  }, async () => {
    const limits = { searches: 300, holds: 150 }
    const { priced, unpriced, held } = await checkSearches(running.url, world, limits)
    expect(priced).toBeGreaterThan(2_000)
    expect(unpriced).toBeGreaterThan(0)
    expect(held).toBeGreaterThanOrEqual(limits.holds)
  })
})
