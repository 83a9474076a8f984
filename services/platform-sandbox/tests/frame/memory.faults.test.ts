import { readFile } from 'node:fs/promises'
import { spawnProcess } from '@melmastoon/testkit'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { SORT_KEYS, searchContract } from '@melmastoon/upstream-contracts/search'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestOf } from '../search/start-search.ts'
import {
  clientFor,
  sandboxEnvironment,
  spawnSandbox,
  type TestEnvironment,
} from '../start-sandbox.ts'

const KB_PER_MB = 1024
const RSS_MB_MAX = 400
const SEARCHES = 200
const PATIENCE_MS = 240_000
const SEED = new URL('../../src/seed.ts', import.meta.url)

/** With the world of `npm start`: what a developer's machine needs for it. */
describe('the sandbox with its whole world', () => {
  let environment: TestEnvironment

  beforeAll(async () => {
    environment = await sandboxEnvironment({ WORLD_PROPERTIES: '3600' })
    const seeding = spawnProcess(SEED, { env: { ...environment.env, NODE_ENV: 'test' } })
    const { code } = await seeding.exited
    if (code !== 0) throw new Error(seeding.lines.join('\n'))
  }, PATIENCE_MS)
  afterAll(() => environment[Symbol.asyncDispose]())

  it(`needs less than ${RSS_MB_MAX} MB`, { timeout: PATIENCE_MS }, async ({ annotate }) => {
    const startedAt = performance.now()
    await using sandbox = await spawnSandbox(environment)
    const startMs = Math.round(performance.now() - startedAt)
    const idleMb = await readRssMb(sandbox.pid)
    await searchAndPrice(sandbox.url)
    const busyMb = await readRssMb(sandbox.pid)
    await annotate(`ready in ${startMs} ms; ${idleMb} MB at first, ${busyMb} MB after searches`)
    expect(Math.max(idleMb, busyMb)).toBeLessThan(RSS_MB_MAX)
  })
})

async function searchAndPrice(url: string): Promise<void> {
  const search = clientFor(searchContract, url)
  const pricing = clientFor(pricingContract, url)
  for (let count = 0; count < SEARCHES; count += 1) {
    const sortKey = SORT_KEYS[count % SORT_KEYS.length] ?? 'recommended'
    const body = requestOf({ sortKey, limit: 20 })
    const { items } = await search.query({ body })
    expect(items).toHaveLength(20)
    const { stay, occupancy, currency } = body
    const propertyIds = items.map(({ propertyId }) => propertyId)
    await pricing.preview({ body: { propertyIds, stay, occupancy, currency } })
  }
}

async function readRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / KB_PER_MB)
}
