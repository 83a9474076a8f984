import type { App } from '@melmastoon/chassis/http'
import type { FastifyInstance } from 'fastify'
import { acceptForms, sendPage } from '../../http/page.ts'
import { TRIGGERS } from '../../scenarios/triggers.ts'
import { ACTIONS } from '../actions/actions.ts'
import { upstreamStates } from '../actions/upstream-actions.ts'
import type { ControlRoom } from '../control-room.ts'
import { renderRoom } from '../room-page.ts'
import { readView } from '../view.ts'
import { guardHost } from './guard-host.ts'
import { operatorOf, registerAction } from './register-action.ts'
import { registerAssets } from './register-assets.ts'

/** The page at `/`, its forms below `/admin`, and the JSON routes below `/admin/api`. */
export async function registerControlRoom(app: App, room: ControlRoom): Promise<void> {
  await app.register(async (scope: FastifyInstance) => {
    acceptForms(scope)
    scope.addHook('onRequest', guardHost(room.config))
    await registerAssets(scope)
    registerPage(scope, room)
    registerReads(scope, room)
    for (const action of ACTIONS) registerAction(scope, room, action)
  })
}

function registerPage(scope: FastifyInstance, room: ControlRoom): void {
  const options = { config: { operation: 'control.page' }, schema: { hide: true } }
  scope.get('/', options, async (request, reply) => {
    const { done, failed } = request.query as { done?: string; failed?: string }
    const operator = operatorOf(request, room)
    const page = await renderRoom(
      { room, view: readView(request.query), operator },
      { done, failed },
    )
    return sendPage(reply, page)
  })
}

function registerReads(scope: FastifyInstance, room: ControlRoom): void {
  const read = (path: string, summary: string, response: () => object) =>
    scope.get(
      `/admin/api${path}`,
      {
        config: { operation: `control${path.replace('/', '.')}` },
        schema: { tags: ['control-room'], summary },
      },
      async () => response(),
    )
  read('/upstreams', 'List all current faults', () => upstreamStates(room))
  read('/triggers', 'List the headers and values that trigger scenarios', () => ({
    triggers: TRIGGERS,
  }))
}
