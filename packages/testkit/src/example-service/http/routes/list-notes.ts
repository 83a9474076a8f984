import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { listNotes } from '../../notes/list-notes.ts'
import { Note } from '../../notes/note.ts'
import { TenantParams } from '../schemas.ts'

const LIMIT = 20
const Query = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: LIMIT })),
})
const Notes = Type.Object({ notes: Type.Array(Note) })

export function listNotesRoute(app: App, ctx: ExampleContext) {
  app.get(
    '/example/v1/:tenantId/notes',
    {
      config: { operation: 'example.note.list' },
      schema: { params: TenantParams, querystring: Query, response: { 200: Notes } },
    },
    async (request) => ({
      notes: await listNotes(ctx, request.params.tenantId, request.query.limit ?? LIMIT),
    }),
  )
}
