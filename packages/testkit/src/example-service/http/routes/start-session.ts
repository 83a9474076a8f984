import { type App, renderCookie } from '@melmastoon/chassis/http'
import { LOCALES } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { COOKIE_NAME, SESSION_TTL_SECONDS } from '../../guest-session.ts'
import { reportStart } from '../../report-start.ts'
import { eventCause } from '../event-cause.ts'

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
      const { session, cookieValue } = await ctx.sessions.create({ locale: request.body.locale })
      reportStart(ctx, session, eventCause(request, null, ctx.config.instance))
      const cookie = renderCookie(COOKIE_NAME, cookieValue, { maxAgeSeconds: SESSION_TTL_SECONDS })
      return reply.code(201).header('set-cookie', cookie).send({ sessionId: session.id })
    },
  )
}
