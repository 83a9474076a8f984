import { KEY_USES_PROBLEMS, keyUsesSchema, readKeyUses } from '@melmastoon/bff/idempotency'
import type { App } from '@melmastoon/chassis/http'
import type { BookingContext } from '../../context.ts'
import type { Hooks } from './index.ts'

/** "Did my request arrive?" (D24): every operation for which this guest used the key. */
export function getKeyUsesRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.key.read',
    problems: ['MELMASTOON.SESSION.COOKIE_INVALID', ...KEY_USES_PROBLEMS],
  } as const
  app.get('/idempotency/:key', { config, schema: keyUsesSchema }, async (request, reply) => {
    const { id: principal } = session.requireSessionWithoutStore(request)
    const { tenantId } = request.site
    const { key } = request.params
    const caller = { service: ctx.config.service, tenantId, principal, key }
    const uses = await readKeyUses(ctx.idempotency, caller, request.deadline)
    reply.header('cache-control', 'no-store')
    return uses
  })
}
