import { type App, eventCause, type SchemaRequest } from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { IntentResult } from '../../intents/intent-view.ts'
import { IntentSchema } from '../../intents/parse-intent.ts'
import { submitIntents } from '../../intents/submit-intents.ts'
import { staffMutation } from '../staff-mutation.ts'

const INTENTS_MAX = 100
const BODY_BYTES_MAX = 256 * 1024
const DEADLINE_MS = 20_000
const LEASE_MS = 25_000

/** Any JSON value is accepted: an invalid intent is rejected by its own verdict. */
const ANYTHING_ELSE = [
  Type.Record(Type.String(), Type.Unknown()),
  Type.Array(Type.Unknown()),
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Null(),
] as const

const schema = {
  body: named(
    'OfflineActionsRequest',
    Type.Object({
      sentAt: Type.String({ format: 'date-time', description: 'Now, by the clock of the device' }),
      bootId: Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        description: 'Changes whenever the device starts: its clock may have been set since',
      }),
      intents: Type.Array(Type.Union([named('OfflineIntent', IntentSchema), ...ANYTHING_ELSE]), {
        maxItems: INTENTS_MAX,
        description: 'An invalid one is rejected by its verdict, and does not affect the others',
      }),
    }),
  ),
  response: {
    200: named('IntentResults', Type.Object({ results: Type.Array(IntentResult) })),
  },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'offline',
  action: 'offline.submit',
  resourceKind: 'device',
  resourceId: ({ operator }: Request) => operator.deviceId,
}

/**
 * What a device did while it was offline: always 200 with one result each, because an error status
 * would block the queue of the device.
 */
export function submitOfflineActionsRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.offline.submit',
    deadlineMs: DEADLINE_MS,
    problems: ['MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE'] satisfies ProblemCode[],
  } as const
  const mutation = { activity, leaseMs: LEASE_MS }
  const handler = staffMutation<Request>(ctx, mutation, async (request, _claim, work) => {
    const { operator, body, trace } = request
    const { tenantId, operatorId, deviceId, sessionId } = operator
    const staff = { operatorId, deviceId }
    const results = await submitIntents(
      { ...ctx, onError: ctx.errors.for('intents') },
      {
        operator,
        trace,
        bootId: body.bootId,
        intents: body.intents,
        sentAt: new Date(body.sentAt),
        deadline: work.deadline,
        cause: () => ({ ...eventCause(ctx, request, { tenantId, sessionId }), staff }),
      },
    )
    const response = { status: 200, body: { results } }
    // A stored response would say "pending" for ever.
    return results.some(({ pending }) => pending) ? { provisional: response } : { response }
  })
  app.post('/offline-actions', { config, schema, bodyLimit: BODY_BYTES_MAX }, handler)
}
