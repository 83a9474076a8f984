import { createDatabase } from '@melmastoon/chassis/db'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { runConformance, type Target } from '@melmastoon/upstream-contracts/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedWorld } from '../src/seeding/seed-world.ts'
import {
  type RunningSandbox,
  SERVICE_SECRET,
  type Stage,
  setStage,
  startSandbox,
} from './start-sandbox.ts'

let stage: Stage
let sandbox: RunningSandbox

beforeAll(async () => {
  stage = await setStage()
  await using db = createDatabase({ url: stage.relayUrl, poolMax: 2, onError: () => undefined })
  await seedWorld(db, { seed: 'conformance', properties: 5 })
  sandbox = await startSandbox(stage)
})

afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
})

function targetAt(url: string): Target {
  const auth = sharedSecretAuth('conformance', SERVICE_SECRET)
  return { baseUrlOf: (upstream) => `${url}/upstreams/${upstream}`, authOf: () => auth }
}

describe('the sandbox', () => {
  it('complies with every contract', async () => {
    const results = await runConformance({ target: targetAt(sandbox.url) })
    expect(results.filter(({ passed }) => !passed)).toEqual([])
    expect(results.length).toBeGreaterThan(200)
  })
})
