import type { App } from '@melmastoon/chassis/http'
import { lookupKey, pathKey } from '@melmastoon/chassis/idempotency'
import { problem } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BookingContext } from '../../context.ts'
import type { Hooks } from './index.ts'

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
  { uses: [{ operation: 'booking.locale.set', status: 200 }] },
)

const schema = {
  params: Type.Object({
    key: Type.String({
      description:
        'The `Idempotency-Key` of the request in question: 16 to 255 visible ASCII characters, no comma',
    }),
  }),
  response: { 200: KeyUses },
}

/** "Did my request arrive?" (D24): every operation for which this guest used the key. */
export function getKeyUsesRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.key.read',
    problems: [
      'MELMASTOON.SESSION.COOKIE_INVALID',
      'MELMASTOON.IDEMPOTENCY.KEY_INVALID',
      'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
    ],
  } as const
  app.get('/idempotency/:key', { config, schema }, async (request, reply) => {
    const { id: principal } = session.requireSessionWithoutStore(request)
    const { service } = ctx.config
    const { tenantId } = request.site
    const key = pathKey(request.params.key, '/params/key')
    const caller = { service, tenantId, principal, key }
    const uses = await lookupKey(ctx.idempotency, caller, request.deadline)
    if (uses.length === 0) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    reply.header('cache-control', 'no-store')
    return { uses }
  })
}
