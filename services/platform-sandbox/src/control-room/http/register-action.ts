import { type EventSource, eventCause } from '@melmastoon/chassis/http'
import { isProblem, problem } from '@melmastoon/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Value } from 'typebox/value'
import type { Action } from '../actions/action.ts'
import type { ControlRoom, Operator } from '../control-room.ts'
import { readView, viewUrl } from '../view.ts'

type Params = Readonly<Record<string, string>>
type Body = Readonly<Record<string, unknown>>

/** A form that redirects to the page it came from, and a JSON route for scripts. */
export function registerAction(scope: FastifyInstance, room: ControlRoom, action: Action): void {
  const { name, path, params, body, summary } = action
  const run = async (request: FastifyRequest, body: Body) =>
    action.run(room, { params: request.params as Params, body }, operatorOf(request, room))
  scope.post(
    `/admin${path}`,
    { config: { operation: `control.form.${name}` }, schema: { hide: true, params } },
    async (request, reply) => {
      const pressed = async () => run(request, readForm(action, request.body))
      const failed = await pressed().then(() => undefined, errorCode)
      return backToPage(request, reply, { action, failed })
    },
  )
  scope.post(
    `/admin/api${path}`,
    {
      config: { operation: `control.${name}` },
      schema: { tags: ['control-room'], summary, params, body },
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async (request, reply) => reply.send(await run(request, request.body as Body)),
  )
}

/** Forms send text only, and empty fields as empty text. */
function readForm({ body: schema }: Action, sent: unknown): Body {
  const fields = Object.entries(sent ?? {}).filter(([, value]) => value !== '')
  const input: unknown = Value.Convert(schema, Object.fromEntries(fields))
  if (Value.Check({ ...schema, additionalProperties: false }, input)) return input
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED')
}

function errorCode(error: unknown): string {
  if (isProblem(error) && error.status < 500) return error.code
  throw error
}

/** 303, so that a reload shows the page instead of repeating the action. */
function backToPage(
  request: FastifyRequest,
  reply: FastifyReply,
  end: { readonly action: Action; readonly failed: string | undefined },
): FastifyReply {
  const { action, failed } = end
  const outcome = failed === undefined ? { done: action.name } : { failed }
  const url = viewUrl('/', readView(request.query), outcome)
  return reply.redirect(`${url}#${action.section}`, 303)
}

export function operatorOf(request: FastifyRequest, source: EventSource): Operator {
  return { causeFor: (tenantId) => eventCause(source, request, { tenantId }) }
}
