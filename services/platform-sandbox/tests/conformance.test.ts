import { createDatabase } from '@melmastoon/chassis/db'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { runConformance, type Target } from '@melmastoon/upstream-contracts/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedWorld } from '../src/seeding/seed-world.ts'
import {
  type RunningSandbox,
  SERVICE_SECRET,
  sandboxEnvironment,
  startSandbox,
  type TestEnvironment,
} from './start-sandbox.ts'

let environment: TestEnvironment
let sandbox: RunningSandbox

beforeAll(async () => {
  environment = await sandboxEnvironment()
  await using db = createDatabase({
    url: environment.relayUrl,
    poolMax: 2,
    onError: () => undefined,
  })
  await seedWorld(db, { seed: 'conformance', properties: 5 })
  sandbox = await startSandbox(environment)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

function targetAt(url: string): Target {
  const auth = sharedSecretAuth('conformance', SERVICE_SECRET)
  return { baseUrlOf: (upstream) => `${url}/upstreams/${upstream}`, authOf: () => auth }
}

describe('the sandbox', () => {
  it('complies with every contract', { timeout: 120_000 }, async () => {
    const results = await runConformance({ target: targetAt(sandbox.url) })
    expect(results.filter(({ passed }) => !passed)).toEqual([])
    expect(results.length).toBeGreaterThan(200)
  })
})
