import type { ServerConfig } from '@melmastoon/chassis/config'
import type { ServiceBase, ServiceDefinition, ServiceOverrides } from '@melmastoon/chassis/service'
import { type EnvironmentSeed, type TestEnvironment, testEnvironment } from './test-environment.ts'
import { startService, type TestService } from './test-service.ts'

export interface SeededServiceOptions<O> {
  /** The Redis of the service under test, so that both share the event bus. */
  readonly redis: TestEnvironment['redis']
  readonly env: Readonly<Record<string, string>>
  /** Fills its database before it starts. */
  readonly seed: EnvironmentSeed
  readonly overrides?: O
}

/** A service with its own database that another one uses, such as the sandbox of upstreams. */
export async function startSeededService<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  definition: ServiceDefinition<C, X, O>,
  { redis, env, seed, overrides }: SeededServiceOptions<O>,
): Promise<TestService<X> & { readonly environment: TestEnvironment }> {
  const servers = { REDIS_SESSION_URL: redis.sessionUrl, REDIS_CACHE_URL: redis.cacheUrl }
  const environment = await testEnvironment(definition, { ...servers, ...env }, seed)
  const service = await startService(definition, environment.env, overrides)
  return {
    ...service,
    environment,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}
