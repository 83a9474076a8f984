import { createDeadline } from '@melmastoon/chassis/clock'
import { createUpstream } from '@melmastoon/chassis/upstream'
import { newId, type TenantId } from '@melmastoon/domain'
import { demoWorld, sandboxService } from '@melmastoon/platform-sandbox'
import { joinServices, startSeededService } from '@melmastoon/testkit'
import { createUpstreamClient } from '@melmastoon/upstream-contracts'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import {
  consumerEnv,
  consumerEnvironment,
  SERVICE_SECRET,
  startConsumer,
} from './start-consumer.ts'

const ENTRY = new URL('../../src/main.ts', import.meta.url)
const PROPERTIES = 150

/** The service with the sandbox as its upstreams, over HTTP, with a small demo world. */
export async function startWithSandbox({ worldSeed = 'travellers' } = {}) {
  const environment = await consumerEnvironment({ url: 'http://127.0.0.1:1' })
  const sandbox = await startSeededService(sandboxService, {
    redis: environment.redis,
    env: { WEBHOOK_SECRET: 'the webhook signing secret of the tests', SERVICE_SECRET },
    seed: demoWorld(worldSeed, PROPERTIES),
  })
  const joined = await joinServices({
    environment,
    sandbox,
    envOf: ({ url }) => consumerEnv({ url: `${url}/upstreams` }),
    start: (env) => startConsumer({ env }),
    entry: ENTRY,
  })
  return { ...joined, tenants: tenantOperator(sandbox.url) }
}

/** Suspends and reactivates tenants, as the platform's operators do. */
function tenantOperator(url: string) {
  const upstream = createUpstream({
    name: 'tenant',
    baseUrl: `${url}/upstreams/tenant`,
    timeoutMs: 10_000,
    retries: 0,
    authorize: sharedSecretAuth('test-service', SERVICE_SECRET).headers,
  })
  const client = createUpstreamClient(tenantContract, upstream)
  return {
    async suspend(tenantId: TenantId) {
      using deadline = createDeadline(10_000)
      await client.suspend(
        { params: { tenantId }, body: { reasonCode: 'unpaid' } },
        { deadline, tenantId, idempotencyKey: newId('req') },
      )
    },
    async reactivate(tenantId: TenantId) {
      using deadline = createDeadline(10_000)
      await client.reactivate(
        { params: { tenantId }, body: {} },
        { deadline, tenantId, idempotencyKey: newId('req') },
      )
    },
  }
}
