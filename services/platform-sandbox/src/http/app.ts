import { ping } from '@melmastoon/chassis/db'
import { type App, buildApp, registerJobRoutes } from '@melmastoon/chassis/http'
import type { SandboxContext } from '../context.ts'
import { registerControlRoom } from '../control-room/http/register-control-room.ts'
import { jobHost } from '../jobs.ts'
import { servedModules } from '../modules.ts'
import { createFaultHooks } from './fault-hooks.ts'
import { registerContract } from './register-contract.ts'
import { paymentPage } from './routes/payment-page.ts'
import { sendDrawingRoutes } from './routes/send-drawing.ts'

/** Every contract below its own base address, as if each were a service of its own. */
export async function buildSandboxApp(ctx: SandboxContext): Promise<App> {
  const { config, metrics, logger, tracer } = ctx
  const app = await buildApp({
    service: config.service,
    metrics,
    logger,
    tracer,
    checks: [{ name: 'postgres', run: () => ctx.db.query(ping()) }],
    openapi: { title: 'Platform sandbox', version: '2.0.0' },
  })
  const { service, instance } = config
  const { verifier, idempotency } = ctx
  const faultHooks = createFaultHooks(app, ctx.scenarios)
  const host = { service, instance, verifier, idempotency, faultHooks }
  for (const served of servedModules(ctx.modules)) registerContract(app, host, served)
  await app.register(paymentPage, { payment: ctx.modules.payment, instance })
  sendDrawingRoutes(app, ctx.modules.property)
  await registerControlRoom(app, ctx)
  return app
}

/** For operators only, on a listener of its own: metrics, health, jobs. */
export async function buildInternalApp(ctx: SandboxContext): Promise<App> {
  const { config, metrics, logger } = ctx
  const app = await buildApp({ service: config.service, metrics, logger, internal: true })
  const { internal: secret } = config.secrets
  if (secret !== undefined)
    registerJobRoutes(app, { host: jobHost(ctx.relayDb, config.instance, logger), secret })
  return app
}
