import type { ServerConfig } from '@melmastoon/chassis/config'
import { runStopPhases } from '@melmastoon/chassis/lifecycle'
import {
  createService,
  type Service,
  type ServiceBase,
  type ServiceDefinition,
  type ServiceOverrides,
  type StartedService,
} from '@melmastoon/chassis/service'
import { silentLogger } from '@melmastoon/chassis/telemetry'
import { eventually } from './eventually.ts'
import { type SendOptions, send, type TestResponse } from './send.ts'
import { type TestEnvironment, testEnvironment } from './test-environment.ts'

type Env = Readonly<Record<string, string>>

/** A started service and requests to its public listener. */
export interface TestService<X> extends Service<X>, StartedService, AsyncDisposable {
  send(method: string, path: string, options?: SendOptions): Promise<TestResponse>
  get(path: string, options?: SendOptions): Promise<TestResponse>
  post(path: string, options?: SendOptions): Promise<TestResponse>
}

export interface TestServiceOptions<O> {
  readonly env?: Env
  readonly overrides?: O
}

const STOP_MS = 8_000

/** Starts a service of a test environment in this process; there may be several. */
export async function startService<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>, env: Env, overrides?: O): Promise<TestService<X>> {
  const given: ServiceOverrides = { announceMs: 0, ...overrides }
  const service = await createService(definition, env, given as O)
  const running = await service.start()
  const { url } = running
  await eventually(() => expectReady(service.ctx, url))
  return {
    ...service,
    ...running,
    send: (method, path, options) => send(url, method, path, options),
    get: (path, options) => send(url, 'GET', path, options),
    post: (path, options) => send(url, 'POST', path, { json: {}, ...options }),
    async [Symbol.asyncDispose]() {
      await runStopPhases(running.stopPhases, { totalMs: STOP_MS, logger: silentLogger })
    },
  }
}

/** On a busy machine a service may listen before it is connected, or shed load at first. */
async function expectReady(ctx: ServiceBase, url: string): Promise<void> {
  await Promise.all([ctx.sessionRedis.ping(), ctx.cacheRedis.ping()])
  const { status } = await fetch(new URL('/no-such-route', url))
  if (status !== 404) throw new Error(`the service responds with ${status}`)
}

/**
 * A service with its own environment, over HTTP:
 * `await using service = await testService(definition, { env, overrides })`.
 */
export async function testService<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  definition: ServiceDefinition<C, X, O>,
  { env = {}, overrides }: TestServiceOptions<O> = {},
): Promise<TestService<X> & { readonly environment: TestEnvironment }> {
  const environment = await testEnvironment(definition, env)
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
