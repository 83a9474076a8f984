import { sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import { idToUuid, newId, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import { NOTE_ID } from './note.ts'
import { insertNote } from './sql/insert-note.ts'

export interface PlaceNote {
  tenantId: TenantId
  text: string
  cause: EventContext
}

/** The effect, its event and the answer, to be written in one statement with the claim. */
export function placeNote(ctx: ExampleContext, { tenantId, text, cause }: PlaceNote) {
  const noteId = newId(NOTE_ID)
  const placedAt = cause.occurredAt.toISOString()
  const event = ctx.registry.build(
    'melmastoon.example.note.placed.v1',
    { tenantId, noteId, lengthChars: text.length, placedAt },
    cause,
  )
  const effect = insertNote({ id: idToUuid(noteId), tenant: idToUuid(tenantId), text })
  return {
    effect,
    events: appendEventsFragment([event], { onlyIf: sql`exists (select from claimed)` }),
    response: { status: 201, body: { noteId, text } },
  }
}
