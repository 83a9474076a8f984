import { createPublicKey } from 'node:crypto'
import { type App, sendPrivateJson } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { requireProperty } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'
import { composePack } from '../../offline-pack/compose-pack.ts'
import { signPack } from '../../offline-pack/sign-pack.ts'
import { typedId } from '../change-request.ts'
import { PackClaims } from '../pack-schema.ts'

const DEADLINE_MS = 5_000

const OfflinePack = named(
  'OfflinePack',
  Type.Object({
    pack: Type.String({
      contentMediaType: 'application/jwt',
      contentSchema: PackClaims,
      description:
        'A JWS (EdDSA) of the lists, bound to tenant, property and the key of the device (`cnf.jkt`)',
    }),
    expiresAt: Type.String({ format: 'date-time' }),
    publicJwk: Type.Object(
      { kty: Type.String(), crv: Type.String(), x: Type.String(), kid: Type.String() },
      { description: 'Verifies the signature; to be kept apart from the pack' },
    ),
  }),
)

const schema = {
  querystring: Type.Object({ propertyId: typedId('ppt') }),
  response: {
    200: OfflinePack,
    304: Type.Null({ description: 'As in the response with this entity tag' }),
  },
}

/** What a device shows during an outage; it deletes it after 24 hours and at sign-out. */
export function getOfflinePackRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.offline.pack',
    responseHeaders: ['ETag'],
    revalidates: true,
    deadlineMs: DEADLINE_MS,
    problems: [
      'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
      'MELMASTOON.BFF.BACKOFFICE.UPSTREAM_BUDGET_EXCEEDED',
    ],
  } as const
  const publicJwk = publicPart(ctx.syncKey)
  const onError = ctx.errors.for('offline-pack')
  app.get('/offline-pack', { config, schema }, async (request, reply) => {
    const { operator, query, deadline, trace, headers } = request
    const wanted = { operator, propertyId: requireProperty(operator, query.propertyId) }
    const content = await composePack({ ...ctx, onError }, wanted, { deadline, trace })
    const signed = signPack(ctx.syncKey, wanted, { content, now: ctx.clock.now() })
    const { pack, expiresAt, etag } = signed
    reply.header('etag', etag)
    if (headers['if-none-match'] === etag) {
      return reply.code(304).header('cache-control', 'private, no-store').send(null)
    }
    sendPrivateJson(reply, JSON.stringify({ pack, expiresAt, publicJwk }))
    return reply
  })
}

function publicPart({ key, kid }: BackofficeContext['syncKey']) {
  const { kty = '', crv = '', x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kty, crv, x, kid }
}
