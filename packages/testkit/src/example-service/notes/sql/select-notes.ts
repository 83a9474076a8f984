import { type Statement, sql } from '@melmastoon/chassis/db'
import type { NoteRow } from '../note.ts'

export function selectNotes(limit: number): Statement<NoteRow> {
  return sql<NoteRow>`
    select id, text, reservation_ref, created_at from notes
    order by created_at desc, id desc limit ${limit}`
}
