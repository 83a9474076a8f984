import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'

type NoteRow = { id: string; text: string; reservationRef: string | null; createdAt: Date }

/** Part of one statement: it writes only when the claim of the same statement was won. */
export const insertNote = (note: { id: string; tenant: string; text: string }): SqlFragment => sql`
  insert into notes (tenant_id, id, text)
  select ${note.tenant}::uuid, ${note.id}::uuid, ${note.text} from claimed returning 1`

/** Part of one statement: it writes only while this attempt holds the claim. */
export const markReserved = (id: string, reservationRef: string): SqlFragment => sql`
  update notes set reservation_ref = ${reservationRef} from claimed
  where id = ${id}::uuid returning 1`

export const selectNotes = (limit: number): Statement<NoteRow> => sql<NoteRow>`
  select id, text, reservation_ref as "reservationRef", created_at as "createdAt" from notes
  order by created_at desc, id desc limit ${limit}`

export const findNote = (id: string): Statement<Pick<NoteRow, 'id'>> => sql<NoteRow>`
  select id from notes where id = ${id}::uuid`

/** Not idempotent on purpose: the inbox ensures that each event is counted once. */
export const countNote = (tenant: string): Statement<unknown> => sql`
  insert into note_counts as c (tenant_id, placed) values (${tenant}::uuid, 1)
  on conflict (tenant_id) do update set placed = c.placed + 1`
