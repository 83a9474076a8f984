import { type Statement, sql } from '@melmastoon/chassis/db'
import type { NoteRow } from '../note.ts'

export function findNote(id: string): Statement<NoteRow> {
  return sql<NoteRow>`
    select id, text, reservation_ref, created_at from notes where id = ${id}::uuid`
}
