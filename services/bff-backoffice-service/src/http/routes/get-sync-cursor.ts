import type { App } from '@melmastoon/chassis/http'
import type { BackofficeContext } from '../../context.ts'
import { readCursor } from '../../sync/sync-cursor.ts'
import { SyncCursorVM } from '../sync-cursor-schema.ts'

const schema = { response: { 200: SyncCursorVM } }

/** The sync cursor of the device that asks (B8). */
export function getSyncCursorRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.sync.cursor-get' } as const
  app.get('/sync/cursor', { config, schema }, async ({ operator, deadline, trace }, reply) => {
    reply.header('cache-control', 'private, no-store')
    return await readCursor(ctx, operator, { deadline, trace })
  })
}
