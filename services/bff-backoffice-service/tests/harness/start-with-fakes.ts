import type { ContextOverrides } from '../../src/context.ts'
import { backofficeEnv, backofficeEnvironment } from './backoffice-environment.ts'
import { FakePlatform } from './fake-platform.ts'
import { startBackoffice } from './start-backoffice.ts'

/** The service with iam and the tenant service as programs that a test controls. */
export async function startWithFakes(
  overrides: ContextOverrides = {},
  env: Readonly<Record<string, string>> = {},
) {
  const platform = await FakePlatform.start()
  const environment = await backofficeEnvironment(platform)
  const serviceEnv = { ...environment.env, ...backofficeEnv(platform), ...env }
  const service = await startBackoffice({ env: serviceEnv }, overrides)
  return {
    platform,
    environment,
    service,
    env: serviceEnv,
    /** Another instance on the same databases. */
    startAnother: (more: ContextOverrides = {}, moreEnv: Readonly<Record<string, string>> = {}) =>
      startBackoffice({ env: { ...serviceEnv, ...moreEnv } }, { ...overrides, ...more }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await environment[Symbol.asyncDispose]()
      await platform[Symbol.asyncDispose]()
    },
  }
}

export type BackofficeWithFakes = Awaited<ReturnType<typeof startWithFakes>>
