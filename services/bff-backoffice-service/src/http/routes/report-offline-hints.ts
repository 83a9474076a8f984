import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { reportHints } from '../../devices/report-hints.ts'
import { PendingAction } from '../pending-action.ts'
import { staffMutation } from '../staff-mutation.ts'

const schema = {
  body: named(
    'OfflineHintsRequest',
    Type.Object({
      appVersion: Type.String({ minLength: 1, maxLength: 40 }),
      actions: Type.Array(PendingAction, {
        maxItems: 20,
        description: 'All that waits on the device, by kind; empty when nothing does',
      }),
    }),
  ),
  response: {
    201: named(
      'OfflineHint',
      Type.Object({
        hintId: Type.String({ pattern: idPattern('oaq') }),
        reportedAt: Type.String({ format: 'date-time' }),
      }),
    ),
  },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'devices',
  action: 'offline.hint',
  resourceKind: 'device',
  resourceId: ({ operator }: Request) => operator.deviceId,
}

/** What waits on the device, for the fleet view; kept for seven days, without effect (B10). */
export function reportOfflineHintsRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.offline.hint' } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, _claim, work) => {
    const options = { deadline: work.deadline }
    const { operator, body } = request
    const stored = await reportHints(ctx, { ...body, operator }, options)
    return { response: { status: 201, body: stored } }
  })
  app.post('/offline-actions/hints', { config, schema }, handler)
}
