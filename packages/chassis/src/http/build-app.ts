import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifySchema,
  type RawServerDefault,
  type RouteGenericInterface,
} from 'fastify'
import {
  createMetrics,
  type Logger,
  type Metrics,
  noopTracer,
  silentLogger,
  type Tracer,
} from '../telemetry/index.ts'
import {
  type AddressLimitPolicies,
  createAddressLimits,
  NO_ADDRESS_LIMITS,
} from './address-limits.ts'
import { closeSchema } from './close-schema.ts'
import { rejectConnect } from './connection-errors.ts'
import { createErrorHandler } from './error-handler.ts'
import { createFastServer, FastPath } from './fast-path/index.ts'
import { type ReadinessCheck, registerHealth } from './health.ts'
import { watchMutatingRoutes } from './idempotency/mutating-routes.ts'
import { registerJsonBodies } from './json-bodies.ts'
import { createLoadGauge, type LoadSheddingOptions, registerTraffic } from './load.ts'
import { collectRouteMethods, registerNotFound } from './not-found.ts'
import { type OpenApiOptions, registerOpenApi } from './openapi.ts'
import { registerRequestContext } from './request-context.ts'
import { type ServerLimits, serverOptions } from './server-options.ts'

export interface AppOptions extends ServerLimits, LoadSheddingOptions {
  service: string
  metrics?: Metrics
  logger?: Logger
  tracer?: Tracer
  checks?: readonly ReadinessCheck[]
  maxConnections?: number
  /** Without it there is no OpenAPI document and no `/docs`. */
  openapi?: OpenApiOptions
  /** Whether `traceparent` decides about recording; by default only behind our own proxy. */
  trustsCallerSampling?: boolean
  /** Other bounds than the default ones for health checks, `/docs` and unknown routes. */
  addressLimits?: Partial<AddressLimitPolicies>
  /** Whether ready responses are sent without Fastify; false for comparisons. */
  fastPath?: boolean
  /** For the listener that only operators reach: adds `/metrics`, has no limits. */
  internal?: boolean
}

/** Further connections are refused instead of exhausting the memory. */
const CONNECTIONS_MAX = 20_000

export async function buildApp(options: AppOptions) {
  const {
    metrics = createMetrics(options.service.replaceAll('-', '_')),
    logger = silentLogger,
    tracer = noopTracer,
    checks = [],
  } = options
  const onError = createErrorHandler({ metrics, logger })
  const fastPath = new FastPath()
  const { fastPath: isFast = true } = options
  const app = Fastify({
    ...serverOptions(options),
    frameworkErrors: onError,
    ...(isFast && { serverFactory: createFastServer.bind(null, fastPath) }),
  })
  app.server.maxConnections = options.maxConnections ?? CONNECTIONS_MAX
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(onError)
  const traffic = registerTraffic(app)
  const load = createLoadGauge(options)
  app.addHook('onClose', () => load[Symbol.dispose]())
  app.server.on('connect', rejectConnect)
  const routes = collectRouteMethods(app)
  app.addHook('onRoute', (route) => {
    if (route.schema) route.schema = closeRequestSchemas(route.schema)
  })
  watchMutatingRoutes(app)
  const { trustProxyHops = 0, internal = false, trustsCallerSampling } = options
  const limits = internal ? NO_ADDRESS_LIMITS : createAddressLimits(options.addressLimits)
  const shared = {
    logger,
    tracer,
    traffic,
    load,
    trustsCallerSampling: trustsCallerSampling ?? (internal || trustProxyHops > 0),
  }
  registerRequestContext(app, { ...shared, metrics, routes, unmatchedLimit: limits.unmatched })
  app.decorate('fastPath', fastPath)
  fastPath.install(app, { ...shared, trustProxyHops })
  registerJsonBodies(app)
  registerNotFound(app, routes)
  if (options.openapi) await registerOpenApi(app, options.openapi, limits.docs)
  registerHealth(app, { checks, traffic, limit: limits.health })
  if (internal) registerMetrics(app, metrics)
  return app.withTypeProvider<TypeBoxTypeProvider>()
}

export type App = Awaited<ReturnType<typeof buildApp>>

/** The request of a route with this schema, for handlers that are separate functions. */
export type SchemaRequest<S extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  S,
  TypeBoxTypeProvider
>

function closeRequestSchemas(schema: FastifySchema): FastifySchema {
  const closed: FastifySchema = { ...schema }
  if (schema.body) closed.body = closeSchema(schema.body)
  if (schema.querystring) closed.querystring = closeSchema(schema.querystring)
  return closed
}

function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  const config = { operation: 'metrics', essential: true }
  app.get('/metrics', { config, schema: { hide: true } }, async (_request, reply) => {
    reply.header('content-type', metrics.contentType)
    return metrics.render()
  })
}
