import type { ServerConfig } from '../config/index.ts'
import { ping } from '../db/index.ts'
import { type App, buildApp, type ReadinessCheck, registerJobRoutes } from '../http/index.ts'
import { bindJobs, type JobHost, type ServiceJob } from '../jobs/index.ts'
import type { ServiceBase } from './create-base.ts'
import type { Dependency, ServiceDefinition, ServiceOverrides } from './service-definition.ts'

/** The listener of the service's callers. */
export async function buildPublicApp<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  definition: ServiceDefinition<C, X, O>,
  ctx: X,
  { fastPath = true }: ServiceOverrides = {},
): Promise<App> {
  const { config, metrics, logger, tracer } = ctx
  const app = await buildApp({
    service: config.service,
    metrics,
    logger,
    tracer,
    trustProxyHops: config.trustProxyHops,
    checks: readinessChecks(ctx, definition.requiredDependencies),
    openapi: definition.openapi,
    fastPath,
  })
  await definition.routes(app, ctx)
  return app
}

/** The listener of operators and other services: health, metrics, jobs. */
export async function buildInternalApp<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>, ctx: X): Promise<App> {
  const { config, metrics, logger } = ctx
  const checks = readinessChecks(ctx, definition.requiredDependencies)
  const app = await buildApp({ service: config.service, metrics, logger, internal: true, checks })
  const { internal: secret } = config.secrets
  if (secret !== undefined) registerJobRoutes(app, { host: jobHost(definition, ctx), secret })
  await definition.internalRoutes?.(app, ctx)
  return app
}

/** With the relay role: jobs work for all tenants. */
export function jobHost<X extends ServiceBase>(
  { jobs }: { readonly jobs: readonly ServiceJob<X>[] },
  ctx: X,
): JobHost {
  const { relayDb, config, logger } = ctx
  return { db: relayDb, jobs: bindJobs(jobs, ctx), instance: config.instance, logger }
}

function readinessChecks(base: ServiceBase, required: readonly Dependency[]): ReadinessCheck[] {
  const check = (name: Dependency, run: () => Promise<unknown>) => ({
    name,
    required: required.includes(name),
    run,
  })
  return [
    check('postgres', () => base.db.query(ping())),
    check('redis-session', () => base.sessionRedis.ping()),
    check('redis-cache', () => base.cacheRedis.ping()),
  ]
}
