import { type Id, uuidToId } from '@melmastoon/domain'
import { Type } from 'typebox'

/** A note borrows the prefix of wishlist entries: the registry has none for an example. */
export const NOTE_ID = 'wsh'

export const Note = Type.Object(
  {
    noteId: Type.String(),
    text: Type.String(),
    reservationRef: Type.Union([Type.String(), Type.Null()]),
    createdAt: Type.String(),
  },
  { additionalProperties: false },
)

export type NoteId = Id<typeof NOTE_ID>

export interface NoteRow {
  id: string
  text: string
  reservation_ref: string | null
  created_at: Date
}

export function toNote(row: NoteRow) {
  return {
    noteId: uuidToId(NOTE_ID, row.id),
    text: row.text,
    reservationRef: row.reservation_ref,
    createdAt: row.created_at.toISOString(),
  }
}
