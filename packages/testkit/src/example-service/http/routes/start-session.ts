import { type App, eventCause, renderCookie } from '@melmastoon/chassis/http'
import { LOCALES } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { COOKIE_NAME, SESSION_TTL_SECONDS } from '../../sessions/guest-session.ts'
import { startSession } from '../../sessions/start-session.ts'

const Body = Type.Object({ locale: Type.Enum([...LOCALES]) })
const Started = Type.Object({ sessionId: Type.String() })

export function startSessionRoute(app: App, ctx: ExampleContext) {
  app.post(
    '/example/v1/session',
    {
      config: { operation: 'example.session.start' },
      schema: { body: Body, response: { 201: Started } },
    },
    async (request, reply) => {
      const cause = eventCause(ctx, request, { sessionId: null })
      const { session, cookieValue } = await startSession(ctx, request.body, cause)
      const cookie = renderCookie(COOKIE_NAME, cookieValue, { maxAgeSeconds: SESSION_TTL_SECONDS })
      return reply.code(201).header('set-cookie', cookie).send({ sessionId: session.id })
    },
  )
}
