import type { Mutation } from '@melmastoon/chassis/idempotency'
import { idToUuid, newId, type TenantId } from '@melmastoon/domain'
import type { EventContext } from '@melmastoon/events'
import type { ExampleContext } from '../context.ts'
import { notePlaced } from '../events.ts'
import { NOTE_ID } from './note.ts'
import { insertNote } from './sql/insert-note.ts'

export interface PlanNote {
  tenantId: TenantId
  text: string
  cause: EventContext
}

/** The effect, its event and the response, to be written in one statement with the claim. */
export function planNote(ctx: ExampleContext, { tenantId, text, cause }: PlanNote): Mutation {
  const noteId = newId(NOTE_ID)
  const placedAt = cause.occurredAt.toISOString()
  const event = ctx.registry.build(
    notePlaced.subject,
    { tenantId, noteId, lengthChars: text.length, placedAt },
    cause,
  )
  return {
    effect: insertNote({ id: idToUuid(noteId), tenant: idToUuid(tenantId), text }),
    events: [event],
    response: { status: 201, body: { noteId, text } },
  }
}
