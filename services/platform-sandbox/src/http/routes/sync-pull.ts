import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { SyncPull } from '@melmastoon/upstream-contracts/sync'
import type { FastifyRequest } from 'fastify'
import type { SyncModule } from '../../modules/sync/module.ts'
import { SYNC_SECURITY } from '../describe-api.ts'

/** Far longer than any token of the back office. */
const TOKEN_CHARS_MAX = 8_192

/** Called by devices, with the token of a sync handshake instead of service credentials. */
export function syncPullRoute(app: App, sync: Pick<SyncModule, 'pull'>): void {
  app.route({
    method: 'POST',
    url: SyncPull.path,
    config: { operation: 'sync.pull' },
    schema: {
      tags: ['sync'],
      security: SYNC_SECURITY,
      summary: 'Pull the changes of rooms and tasks since a cursor',
      body: SyncPull.body,
      response: { 200: SyncPull.response },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return await sync.pull(tokenOf(request), request.body)
    },
  })
}

function tokenOf({ headers }: FastifyRequest): string {
  const [, token = ''] = /^Bearer ([\w.-]+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === '' || token.length > TOKEN_CHARS_MAX) {
    throw problem('MELMASTOON.SYNC.TOKEN_INVALID')
  }
  return token
}
