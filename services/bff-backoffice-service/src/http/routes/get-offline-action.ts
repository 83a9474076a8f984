import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import { Type } from 'typebox'
import { mayUseProperty } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'
import { describeStored, IntentResult } from '../../intents/intent-view.ts'
import { typedId } from '../change-request.ts'

const schema = {
  params: Type.Object({ intentId: typedId('int') }),
  response: { 200: IntentResult },
}

/** The verdict on an intent of this device, for 35 days. */
export function getOfflineActionRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.offline.verdict',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/offline-actions/:intentId', { config, schema }, async (request, reply) => {
    const { operator, params, deadline } = request
    const stored = await ctx.intentStore.find(operator, params.intentId, deadline)
    const propertyId = stored?.propertyId ?? null
    if (stored === null || (propertyId !== null && !mayUseProperty(operator, propertyId))) {
      throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    }
    reply.header('cache-control', 'no-store')
    return describeStored(stored, true)
  })
}
