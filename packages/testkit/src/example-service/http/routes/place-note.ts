import {
  type App,
  idempotentWrite,
  type SchemaRequest,
  type SessionHook,
} from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { planNote } from '../../notes/plan-note.ts'
import type { GuestSession } from '../../sessions/guest-session.ts'
import { guestCause, guestMutation } from '../guest-mutation.ts'
import { TenantParams } from '../schemas.ts'

const Body = Type.Object({ text: Type.String({ minLength: 1, maxLength: 280 }) })
const Placed = Type.Object({ noteId: Type.String(), text: Type.String() })
const schema = { params: TenantParams, body: Body, response: { 201: Placed } }
const LEASE_MS = 15_000

/** A mutation without an upstream call: one statement does all of it. */
export function placeNoteRoute(
  app: App,
  ctx: ExampleContext,
  session: SessionHook<GuestSession, 'gms'>,
) {
  app.post(
    '/example/v1/:tenantId/notes',
    {
      config: { operation: 'example.note.place' },
      schema,
    },
    idempotentWrite<SchemaRequest<typeof schema>>(
      guestMutation(ctx, session, LEASE_MS),
      (request) => {
        const { tenantId } = request.params
        const cause = guestCause(ctx, session, request)
        return planNote(ctx, { tenantId, text: request.body.text, cause })
      },
    ),
  )
}
