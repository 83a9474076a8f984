import { type SqlFragment, sql } from '@melmastoon/chassis/db'

/** Part of one statement: it writes only when the claim of the same statement was won. */
export function insertNote(note: { id: string; tenant: string; text: string }): SqlFragment {
  return sql`
    insert into notes (tenant_id, id, text)
    select ${note.tenant}::uuid, ${note.id}::uuid, ${note.text} from claimed
    returning 1`
}
