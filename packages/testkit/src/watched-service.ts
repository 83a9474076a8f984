import type { ServerConfig } from '@melmastoon/chassis/config'
import type { App } from '@melmastoon/chassis/http'
import type { ServiceBase, ServiceDefinition, ServiceOverrides } from '@melmastoon/chassis/service'
import { type ProblemWatch, watchProblems } from './openapi/watch-problems.ts'
import { startService, type TestService } from './test-service.ts'

/**
 * Like `startService`. Its end fails when a request was rejected with a code that the OpenAPI
 * document does not list for the operation.
 */
export async function startWatchedService<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  definition: ServiceDefinition<C, X, O>,
  env: Readonly<Record<string, string>>,
  overrides?: O,
): Promise<TestService<X>> {
  const watches: ProblemWatch[] = []
  const watched = {
    ...definition,
    routes: (app: App, ctx: X) => {
      watches.push(watchProblems(app))
      return definition.routes(app, ctx)
    },
  }
  const running = await startService(watched, env, overrides)
  return {
    ...running,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      const undocumented = watches.flatMap((watch) => watch.undocumented())
      if (undocumented.length > 0) {
        throw new Error(`not in the OpenAPI document: ${undocumented.join('; ')}`)
      }
    },
  }
}
