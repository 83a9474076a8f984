import { ping } from '@melmastoon/chassis/db'
import { type App, buildApp, createSessionHook, registerJobRoutes } from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../context.ts'
import { jobHost } from '../jobs.ts'
import { COOKIE_NAME } from '../sessions/guest-session.ts'
import { apiDescription } from './describe-api.ts'
import { createProtection } from './protect.ts'
import { consumeHandoffRoute } from './routes/consume-handoff.ts'
import { registerRoutes } from './routes/index.ts'

/** Plugins, then routes: the order here is the order a request meets them. */
export async function buildConsumerApp(ctx: ConsumerContext): Promise<App> {
  const { config, metrics, logger, tracer } = ctx
  const app = await buildApp({
    service: config.service,
    metrics,
    logger,
    tracer,
    trustProxyHops: config.trustProxyHops,
    checks: [
      { name: 'postgres', required: false, run: () => ctx.db.query(ping()) },
      { name: 'redis-session', required: false, run: () => ctx.sessionRedis.ping() },
      { name: 'redis-cache', required: false, run: () => ctx.cacheRedis.ping() },
    ],
    openapi: apiDescription,
  })
  const session = createSessionHook(ctx.sessions, COOKIE_NAME)
  registerRoutes(app, ctx, { session, ...createProtection(ctx, session) })
  return app
}

/** For operators and services, on a listener of its own: metrics, health, jobs, handoffs. */
export async function buildInternalApp(ctx: ConsumerContext): Promise<App> {
  const { config, metrics, logger } = ctx
  const app = await buildApp({ service: config.service, metrics, logger, internal: true })
  const { internal: secret } = config.secrets
  if (secret !== undefined)
    registerJobRoutes(app, { host: jobHost(ctx.relayDb, config.instance, logger), secret })
  consumeHandoffRoute(app, ctx)
  return app
}
