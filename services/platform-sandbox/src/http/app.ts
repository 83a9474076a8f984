import type { App } from '@melmastoon/chassis/http'
import type { SandboxContext } from '../context.ts'
import { registerControlRoom } from '../control-room/http/register-control-room.ts'
import { servedModules } from '../modules.ts'
import { createFaultHooks } from './fault-hooks.ts'
import { registerContract } from './register-contract.ts'
import { paymentPage } from './routes/payment-page.ts'
import { sendDrawingRoutes } from './routes/send-drawing.ts'
import { staffSignInRoutes } from './routes/staff-sign-in.ts'
import { syncPullRoute } from './routes/sync-pull.ts'

/** Registers every contract below its own base path, like separate services. */
export async function registerSandboxRoutes(app: App, ctx: SandboxContext): Promise<void> {
  const { service } = ctx.config
  const { verifier, idempotency } = ctx
  const faultHooks = createFaultHooks(app, ctx.scenarios)
  const host = { service, source: ctx, verifier, idempotency, faultHooks }
  for (const served of servedModules(ctx.modules)) registerContract(app, host, served)
  await app.register(paymentPage, { payment: ctx.modules.payment, source: ctx })
  staffSignInRoutes(app, { iam: ctx.modules.iam, source: ctx, faultHooks })
  syncPullRoute(app, ctx.modules.sync)
  sendDrawingRoutes(app, ctx.modules.property)
  await registerControlRoom(app, ctx)
}
