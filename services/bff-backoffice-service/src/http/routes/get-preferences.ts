import type { App } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { Type } from 'typebox'
import { requireProperty } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'
import { readPreferences } from '../../preferences/preferences.ts'
import { etagOf, PreferencesVM } from '../preferences-schema.ts'

const schema = {
  querystring: Type.Object({
    propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
  }),
  response: { 200: PreferencesVM },
}

/** The operator's own preferences at a property (B6). */
export function getPreferencesRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.preferences.get',
    responseHeaders: ['ETag', 'Cache-Control'],
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/preferences', { config, schema }, async (request, reply) => {
    const { operator, query, deadline, trace } = request
    const { tenantId, operatorId } = operator
    const propertyId = requireProperty(operator, query.propertyId)
    const key = { tenantId, operatorId, propertyId }
    const found = await readPreferences(ctx, key, { deadline, trace })
    reply.header('cache-control', 'private, no-cache').header('etag', etagOf(found))
    return { propertyId, ...found }
  })
}
