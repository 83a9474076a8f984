import type { App } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { requireProperty } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'
import { readPreferences } from '../../preferences/preferences.ts'
import { etagOfMap, keyboardMap } from '../../shortcuts/keyboard-map.ts'

const KeyboardMapVM = named(
  'KeyboardMap',
  Type.Object({
    platform: Type.Enum(['win32', 'darwin', 'linux']),
    version: Type.Integer({ description: 'Of the standard keys' }),
    shortcuts: Type.Array(
      Type.Object({
        action: Type.String(),
        keys: Type.String({
          description: '`mod` is Ctrl, on macOS Command; keys after a space are pressed next',
        }),
        group: Type.Enum(['navigation', 'desk', 'rooms', 'inbox', 'application']),
        isChanged: Type.Boolean({ description: 'By the preferences of the operator' }),
      }),
    ),
  }),
)

const schema = {
  querystring: Type.Object({
    platform: Type.Enum(['win32', 'darwin', 'linux']),
    propertyId: Type.Optional(
      Type.Unsafe<PropertyId>(
        Type.String({
          pattern: idPattern('ppt'),
          description: 'With it, the keys in `shortcuts` of the preferences apply',
        }),
      ),
    ),
  }),
  response: {
    200: KeyboardMapVM,
    304: Type.Null({ description: 'As in the response with this entity tag' }),
  },
}

/** The keyboard map of the operator's roles, for an hour (B16). */
export function getShortcutsRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.shortcuts.get',
    responseHeaders: ['ETag', 'Cache-Control'],
    revalidates: true,
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/keyboard-shortcuts', { config, schema }, async (request, reply) => {
    const { operator, query, deadline, trace } = request
    const overrides = await (async () => {
      if (query.propertyId === undefined) return undefined
      const propertyId = requireProperty(operator, query.propertyId)
      const { tenantId, operatorId } = operator
      const key = { tenantId, operatorId, propertyId }
      const { payload } = await readPreferences(ctx, key, { deadline, trace })
      return payload['shortcuts']
    })()
    const map = keyboardMap(operator, query.platform, overrides)
    const etag = etagOfMap(map)
    reply.header('cache-control', 'private, max-age=3600').header('etag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send(null)
    return map
  })
}
