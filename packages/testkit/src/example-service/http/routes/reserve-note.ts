import {
  type App,
  idempotent,
  type SchemaRequest,
  type SessionHook,
} from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { reserveNote } from '../../notes/reserve-note.ts'
import type { GuestSession } from '../../sessions/guest-session.ts'
import { guestCause, guestMutation } from '../guest-mutation.ts'
import { NoteParams } from '../schemas.ts'

const Reserved = Type.Object({ noteId: Type.String(), reservationRef: Type.String() })
const schema = { params: NoteParams, body: Type.Object({}), response: { 200: Reserved } }
/** The route's deadline and a second for the last writes. */
const LEASE_MS = 4_000

/** A mutation with an upstream call between claim and result. */
export function reserveNoteRoute(
  app: App,
  ctx: ExampleContext,
  session: SessionHook<GuestSession, 'gms'>,
) {
  app.post(
    '/example/v1/:tenantId/notes/:noteId/reserve',
    {
      config: { operation: 'example.note.reserve', deadlineMs: 3_000 },
      schema,
    },
    idempotent<SchemaRequest<typeof schema>>(
      guestMutation(ctx, session, LEASE_MS),
      (request, claim, { deadline }) =>
        reserveNote(ctx, {
          ...request.params,
          cause: guestCause(ctx, session, request),
          claim,
          deadline,
          trace: request.trace,
        }),
    ),
  )
}
