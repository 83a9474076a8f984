import type { App } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { listActivity } from '../../activity/list-activity.ts'
import type { BackofficeContext } from '../../context.ts'

const nullable = (maxLength: number) => Type.Union([Type.String({ maxLength }), Type.Null()])

const ActivityVM = named(
  'Activity',
  Type.Object({
    activityId: Type.String({ pattern: idPattern('act') }),
    propertyId: Type.Union([Type.String({ pattern: idPattern('ppt') }), Type.Null()], {
      description:
        'Null where it is not known, as for some rejected requests of operators of several properties',
    }),
    operatorId: Type.String({ pattern: idPattern('opr') }),
    deviceId: Type.String({ pattern: idPattern('dev') }),
    occurredAt: Type.String({ format: 'date-time' }),
    category: Type.String({ maxLength: 60 }),
    action: Type.String({ maxLength: 100 }),
    resourceKind: nullable(60),
    resourceId: nullable(100),
    outcome: Type.Enum(['success', 'failure']),
    latencyMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
    errorCode: Type.Union([Type.String({ maxLength: 120 }), Type.Null()], {
      description: 'Why it failed; null after a success',
    }),
  }),
)

const schema = {
  querystring: Type.Object(
    {
      propertyId: Type.Optional(
        Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
      ),
      from: Type.Optional(
        Type.String({ format: 'date-time', description: 'Seven days before `to` by default' }),
      ),
      to: Type.Optional(Type.String({ format: 'date-time' })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    },
    { additionalProperties: false },
  ),
  response: {
    200: named(
      'ActivityPage',
      Type.Object({
        rows: Type.Array(ActivityVM),
        page: Type.Object({
          nextCursor: Type.Union([Type.String(), Type.Null()], {
            description: 'For the next, older page; null on the last one',
          }),
        }),
      }),
    ),
  },
}

/** The ledger of the last 90 days (B11): own rows, or for managers those of their properties. */
export function listActivityRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.activity.list',
    problems: ['MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID', 'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/activity', { config, schema }, async ({ operator, query, deadline }, reply) => {
    reply.header('cache-control', 'no-store')
    const { from, to, limit = 50, ...rest } = query
    const wanted = { ...rest, limit, from: dateOf(from), to: dateOf(to) }
    const { rows, nextCursor } = await listActivity(ctx, { operator, query: wanted }, { deadline })
    return {
      rows: rows.map((row) => ({ ...row, occurredAt: row.occurredAt.toISOString() })),
      page: { nextCursor },
    }
  })
}

const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))
