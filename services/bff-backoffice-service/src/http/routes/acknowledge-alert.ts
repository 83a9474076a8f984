import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { type Id, idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { acknowledgeAlert } from '../../alerts/acknowledge-alert.ts'
import { AlertVM } from '../../alerts/alert-view.ts'
import type { BackofficeContext } from '../../context.ts'
import { Note } from '../note-schema.ts'
import { staffCall } from '../staff-call.ts'
import { staffMutation } from '../staff-mutation.ts'

const AcknowledgedAlertVM = named(
  'AcknowledgedAlert',
  Type.Object({ alert: AlertVM, acknowledgedAt: Type.String({ format: 'date-time' }) }),
)

const schema = {
  params: Type.Object({
    alertId: Type.Unsafe<Id<'alt'>>(Type.String({ pattern: idPattern('alt') })),
  }),
  body: named(
    'AcknowledgeAlertRequest',
    Type.Object({
      note: Type.Optional(Note),
    }),
  ),
  response: { 200: AcknowledgedAlertVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'alerts',
  action: 'alert.acknowledge',
  resourceKind: 'alert',
  resourceId: ({ params }: Request) => params.alertId,
}

/** Acknowledges an alert for the operator, once (B5). */
export function acknowledgeAlertRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.alert.acknowledge',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, params, body } = request
    const call = staffCall(ctx, request, { claim, work, step: 'acknowledge' })
    const wanted = { operator, alertId: params.alertId, note: body.note }
    const { alert, acknowledgedAt } = await acknowledgeAlert(ctx, wanted, call)
    work.details.propertyId = alert.propertyId
    return { response: { status: 200, body: { alert, acknowledgedAt } } }
  })
  app.post('/alerts/:alertId/acknowledge', { config, schema }, handler)
}
