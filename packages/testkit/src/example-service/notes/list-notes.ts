import type { TenantId } from '@melmastoon/domain'
import type { ExampleContext } from '../context.ts'
import { toNote } from './note.ts'
import { selectNotes } from './sql/select-notes.ts'

/** The newest first, of this tenant alone. */
export async function listNotes(ctx: ExampleContext, tenantId: TenantId, limit: number) {
  const rows = await ctx.db.tenantQuery(tenantId, selectNotes(limit))
  return rows.map(toNote)
}
