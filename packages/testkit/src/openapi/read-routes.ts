import type { ServerConfig } from '@melmastoon/chassis/config'
import { mutatingRoutesWithoutIdempotency } from '@melmastoon/chassis/http'
import {
  createService,
  type ServiceBase,
  type ServiceDefinition,
  type ServiceOverrides,
} from '@melmastoon/chassis/service'

/** What the OpenAPI document says about a route. */
export interface RouteOperation {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema?: object }> }>>
}

export interface ServiceRoutes {
  /** Mutations without an idempotency key. */
  readonly bare: readonly string[]
  /** The same of the internal listener. */
  readonly bareInternal: readonly string[]
  readonly operations: readonly RouteOperation[]
}

/** The routes of a service, as it registers them when it starts. */
export async function readRoutes<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  definition: ServiceDefinition<C, X, O>,
  env: Readonly<Record<string, string>>,
): Promise<ServiceRoutes> {
  const { ctx, app, internalApp } = await createService(definition, env)
  await using _connections = ctx
  await Promise.all([app.ready(), internalApp.ready()])
  const { paths = {} } = app.swagger()
  const operations = Object.values(paths).flatMap((item) => Object.values(item ?? {}))
  await Promise.all([app.close(), internalApp.close()])
  return {
    bare: mutatingRoutesWithoutIdempotency(app),
    bareInternal: mutatingRoutesWithoutIdempotency(internalApp),
    operations: operations as RouteOperation[],
  }
}
