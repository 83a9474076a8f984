import type { FastifySchema, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { App } from './build-app.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Path parameters that only identify the tenant; set by `registerAt`. */
    addressParams?: readonly string[]
  }
}

/** A prefix at which routes can be reached, and the parameters in it. */
export interface RouteAddress {
  readonly prefix: string
  readonly params?: Readonly<Record<string, TSchema>>
}

/**
 * Registers the same routes at several addresses (D24). The first one is canonical: the OpenAPI
 * document contains each operation once, with that path. Schemas of routes contain only their own
 * parameters; those of the prefix are added here, and do not distinguish idempotent requests.
 */
export function registerAt(
  app: App,
  addresses: readonly [RouteAddress, ...RouteAddress[]],
  routes: (scope: App) => void | Promise<void>,
): void {
  for (const [index, { prefix, params = {} }] of addresses.entries()) {
    const isCanonical = index === 0
    void app.register(
      async (scope: App) => {
        scope.addHook('onRoute', (route) => addressRoute(route, params, isCanonical))
        await routes(scope)
      },
      { prefix },
    )
  }
}

function addressRoute(
  route: RouteOptions,
  params: Readonly<Record<string, TSchema>>,
  isCanonical: boolean,
): void {
  const schema: FastifySchema = route.schema ?? {}
  const names = Object.keys(params)
  if (names.length > 0) {
    route.schema = { ...schema, params: withParams(schema.params, params) }
    route.config = { ...route.config, addressParams: names }
  }
  if (!isCanonical) route.schema = { ...route.schema, hide: true }
}

interface ParamsSchema {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, unknown>>
}

function withParams(own: unknown, added: Readonly<Record<string, TSchema>>): object {
  const { required = [], properties = {}, ...rest } = (own ?? {}) as ParamsSchema
  return {
    type: 'object',
    ...rest,
    required: [...new Set([...Object.keys(added), ...required])],
    properties: { ...added, ...properties },
  }
}
