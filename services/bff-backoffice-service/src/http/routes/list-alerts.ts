import type { App } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { ALERT_STATES } from '@melmastoon/upstream-contracts/notification'
import { Type } from 'typebox'
import { AlertVM } from '../../alerts/alert-view.ts'
import { listAlerts } from '../../alerts/list-alerts.ts'
import type { BackofficeContext } from '../../context.ts'
import { inboxFields, inboxMeta } from '../inbox-envelope.ts'

const AlertInboxVM = named('AlertInbox', Type.Object({ ...inboxFields, rows: Type.Array(AlertVM) }))

const schema = {
  querystring: Type.Object({
    propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
    state: Type.Optional(Type.Enum([...ALERT_STATES])),
    severity: Type.Optional(AlertVM.properties.severity),
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
  }),
  response: { 200: AlertInboxVM },
}

/** The alerts of a property for the roles of the operator (B5). */
export function listAlertsRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.alert.list',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/alerts', { config, schema }, async ({ operator, query, deadline, trace }, reply) => {
    const { rows, ...rest } = await listAlerts(ctx, { operator, query }, { deadline, trace })
    reply.header('cache-control', 'private, no-store')
    return { ...inboxMeta(ctx, { propertyId: query.propertyId, rows, ...rest }), rows }
  })
}
