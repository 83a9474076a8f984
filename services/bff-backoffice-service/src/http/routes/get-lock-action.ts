import type { App } from '@melmastoon/chassis/http'
import { type Id, idPattern } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { readAction } from '../../locks/read-action.ts'
import { LockActionDetailVM, lockActionView, transitionView } from '../lock-view.ts'

const schema = {
  params: Type.Object({
    actionId: Type.Unsafe<Id<'lap'>>(Type.String({ pattern: idPattern('lap') })),
  }),
  response: { 200: LockActionDetailVM },
}

/** A lock action and everything that was reported about it. */
export function getLockActionRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.lock.action-get',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/locks/actions/:actionId', { config, schema }, async (request, reply) => {
    const { operator, params } = request
    reply.header('cache-control', 'no-store')
    const { action, transitions } = await readAction(ctx, { operator, ...params }, request)
    return { ...lockActionView(action), transitions: transitions.map(transitionView) }
  })
}
