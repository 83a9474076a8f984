import { KEY_USES_PROBLEMS, keyUsesSchema, readKeyUses } from '@melmastoon/bff/idempotency'
import type { App } from '@melmastoon/chassis/http'
import type { BackofficeContext } from '../../context.ts'
import { principalOf } from '../staff-mutation.ts'

/** "Did my request arrive?" (D24): every operation for which this device used the key. */
export function getKeyUsesRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.key.read', problems: KEY_USES_PROBLEMS } as const
  app.get('/idempotency/:key', { config, schema: keyUsesSchema }, async (request, reply) => {
    const { operator, params, deadline } = request
    const { service } = ctx.config
    const { tenantId } = operator
    const caller = { service, tenantId, principal: principalOf(operator), key: params.key }
    const uses = await readKeyUses(ctx.idempotency, caller, deadline)
    reply.header('cache-control', 'no-store')
    return uses
  })
}
