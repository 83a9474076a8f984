import { createDeadline } from '@melmastoon/chassis/clock'
import { createUpstream } from '@melmastoon/chassis/upstream'
import { newId, type TenantId } from '@melmastoon/domain'
import { sandboxService, seedWorld } from '@melmastoon/platform-sandbox'
import { startSeededService, type TestEnvironment } from '@melmastoon/testkit'
import { createUpstreamClient } from '@melmastoon/upstream-contracts'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { consumerEnvironment, SERVICE_SECRET, startConsumer } from './start-consumer.ts'

const PROPERTIES = 150

/** The sandbox with a small demo world, over HTTP, on the Redis that the service uses. */
function startSandbox(redis: TestEnvironment['redis'], seed: string) {
  return startSeededService(sandboxService, {
    redis,
    env: { WEBHOOK_SECRET: 'the webhook signing secret of the tests', SERVICE_SECRET },
    seed: {
      key: `world ${seed} of ${PROPERTIES}`,
      run: (db) => seedWorld(db, { seed, properties: PROPERTIES }),
    },
  })
}

/** The service with the sandbox as its upstreams. */
export async function startWithSandbox({ worldSeed = 'travellers' } = {}) {
  const environment = await consumerEnvironment({ url: 'http://127.0.0.1:1' })
  const sandbox = await startSandbox(environment.redis, worldSeed)
  const env = {
    ...environment.env,
    UPSTREAM_SEARCH_URL: `${sandbox.url}/upstreams/search`,
    UPSTREAM_PRICING_URL: `${sandbox.url}/upstreams/pricing`,
    UPSTREAM_THEME_URL: `${sandbox.url}/upstreams/theme`,
    UPSTREAM_PROPERTY_URL: `${sandbox.url}/upstreams/property`,
    UPSTREAM_TENANT_URL: `${sandbox.url}/upstreams/tenant`,
  }
  const service = await startConsumer({ env })
  return {
    environment,
    sandbox,
    service,
    tenants: tenantOperator(sandbox.url),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
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
