import type { App } from '@melmastoon/chassis/http'
import { chooseKey, lookupKey } from '@melmastoon/chassis/idempotency'
import { problem } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { principalOf } from '../staff-mutation.ts'

const KeyUses = named(
  'KeyUses',
  Type.Object({
    uses: Type.Array(
      Type.Object({
        operation: Type.String({ description: 'The `operationId` of the request' }),
        status: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Of the stored response; null while the request is in progress: it can be repeated',
        }),
      }),
    ),
  }),
)

const schema = {
  params: Type.Object({
    key: Type.String({
      minLength: 16,
      maxLength: 255,
      description: 'The `Idempotency-Key` of the request in question',
    }),
  }),
  response: { 200: KeyUses },
}

/** "Did my request arrive?" (D24): every operation for which this device used the key. */
export function getKeyUsesRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.key.read',
    problems: ['MELMASTOON.IDEMPOTENCY.KEY_INVALID', 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/idempotency/:key', { config, schema }, async (request, reply) => {
    const { operator, params, deadline } = request
    const { service } = ctx.config
    const key = chooseKey([params.key], [])
    const { tenantId } = operator
    const caller = { service, tenantId, principal: principalOf(operator), key }
    const uses = await lookupKey(ctx.idempotency, caller, deadline)
    if (uses.length === 0) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    reply.header('cache-control', 'no-store')
    return { uses }
  })
}
