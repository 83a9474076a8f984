import { spawnProcess } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE_SECRET } from '../harness/start-consumer.ts'
import { startWithSandbox } from '../harness/start-with-sandbox.ts'

const DEMO = new URL('../../../../tools/demo/traveller.ts', import.meta.url)

const TIMEOUT_MS = 60_000

let fixture: Awaited<ReturnType<typeof startWithSandbox>>

beforeAll(async () => {
  fixture = await startWithSandbox()
}, TIMEOUT_MS)
afterAll(() => fixture[Symbol.asyncDispose]())

it('the scripted journey completes, and its booking link works once', {
  timeout: TIMEOUT_MS,
}, async () => {
  await using traveller = spawnProcess(DEMO, {
    env: {
      CONSUMER_URL: fixture.service.url,
      CONSUMER_INTERNAL_URL: fixture.service.internalUrl,
      SERVICE_SECRET,
      HANDOFF_KEY: Buffer.alloc(32, 'handoff').toString('base64url'),
    },
  })
  const { code } = await traveller.exited
  const seen = traveller.lines.join('\n')
  expect({ code, seen }).toMatchObject({ code: 0 })
  expect(seen).toContain('prices in AFN')
  expect(seen).toContain('wishlist: 1')
  expect(seen).toMatch(/first use: {2}200 accepted/)
  expect(seen).toMatch(/second use: 409 MELMASTOON\.BFF\.CONSUMER\.HANDOFF_REPLAYED/)
})
