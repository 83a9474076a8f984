import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'

const RenewedStream = named(
  'RenewedStream',
  Type.Object({
    tokenExpiresAt: Type.String({
      format: 'date-time',
      description: 'The stream ends one minute later, unless it is renewed again',
    }),
  }),
)

const schema = { response: { 200: RenewedStream } }

/**
 * Continues a stream with the token of this request (B12). It stores nothing that a repeated
 * request would store twice, so there is no idempotency key.
 */
export function renewStreamRoute(app: App, { streams }: BackofficeContext) {
  const config = {
    operation: 'staff.stream.renew',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.post('/sse/renew', { config, schema }, async ({ operator }, reply) => {
    if (!(await streams.renew(operator))) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    reply.header('cache-control', 'no-store')
    return { tokenExpiresAt: operator.tokenExpiresAt.toISOString() }
  })
}
