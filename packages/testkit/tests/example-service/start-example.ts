import { serviceContracts } from '@melmastoon/chassis/service'
import { newId, type TenantId } from '@melmastoon/domain'
import {
  type SendOptions,
  send,
  startService,
  type TestEnvironment,
  type TestResponse,
  testEnvironment,
} from '@melmastoon/testkit'
import type { ContextOverrides } from '../../src/example-service/context.ts'
import { service } from '../../src/example-service/service.ts'
import { type ExampleUpstream, startExampleUpstream } from '../../src/example-upstream.ts'

export interface ExampleEnvironment extends TestEnvironment {
  upstream: ExampleUpstream
}
export type { TestResponse } from '@melmastoon/testkit'
export { send }
export const contracts = serviceContracts(service)

/** A test environment with an upstream. */
export async function exampleEnvironment(): Promise<ExampleEnvironment> {
  const upstream = await startExampleUpstream()
  const environment = await testEnvironment(service, { EXAMPLE_UPSTREAM_URL: upstream.url })
  return {
    ...environment,
    upstream,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
    },
  }
}

export interface Guest {
  tenantId: TenantId
  cookie: string
  send(method: string, path: string, options?: SendOptions): Promise<TestResponse>
}

export function startExample(
  environment: Pick<ExampleEnvironment, 'env'>,
  overrides: ContextOverrides = {},
) {
  return startService(service, environment.env, {
    upstream: { timeoutMs: 1_000, halfOpenAfterMs: 200 },
    ...overrides,
  })
}

/** A guest with a session of a new tenant. */
export async function createGuest(url: string, tenantId = newId('tnt')): Promise<Guest> {
  const started = await send(url, 'POST', '/example/v1/session', { json: { locale: 'ps-AF' } })
  const cookie = started.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    tenantId,
    cookie,
    send: (method, path, options = {}) =>
      send(url, method, path.replace(':tenantId', tenantId), {
        ...options,
        headers: { cookie, ...options.headers },
      }),
  }
}

export const ABOUT_NOTES = "subject like '%.note.%'"
