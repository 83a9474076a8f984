import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { updatePreferences } from '../../preferences/update-preferences.ts'
import {
  etagOf,
  expectedVersionOf,
  PreferencesPayload,
  PreferencesVM,
} from '../preferences-schema.ts'
import { staffCall } from '../staff-call.ts'
import { staffMutation } from '../staff-mutation.ts'

const schema = {
  body: named(
    'PutPreferencesRequest',
    Type.Object({
      propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
      payload: PreferencesPayload,
      expectedVersion: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 999_999_999,
          description: 'The version that was read; may be sent as `If-Match` instead',
        }),
      ),
    }),
  ),
  headers: Type.Object({
    'if-match': Type.Optional(
      Type.String({ maxLength: 40, description: 'The `ETag` that was read' }),
    ),
  }),
  response: { 200: PreferencesVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'preferences',
  action: 'preferences.update',
  resourceKind: 'operator',
  resourceId: ({ operator }: Request) => operator.operatorId,
}

/** Replaces the operator's own preferences, unless they have changed since they were read (B6). */
export function putPreferencesRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.preferences.put',
    responseHeaders: ['ETag'],
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND', 'MELMASTOON.TENANT.VERSION_CONFLICT'],
  } as const
  const handler = staffMutation<Request>(ctx, { activity }, async (request, claim, work) => {
    const { operator, body } = request
    const { propertyId, payload } = body
    const ifMatch = request.headers['if-match']
    const expectedVersion = expectedVersionOf(body.expectedVersion, ifMatch)
    const call = staffCall(ctx, request, { claim, work, step: 'preferences' })
    const update = { operator, propertyId, payload, expectedVersion }
    const stored = await updatePreferences(ctx, update, call)
    work.details.propertyId = propertyId
    const headers = { etag: etagOf(stored) }
    return {
      response: { status: 200, headers, body: { propertyId, ...stored, source: 'current' } },
    }
  })
  app.put('/preferences', { config, schema }, handler)
}
