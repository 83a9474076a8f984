import type { App } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { SUGGESTION_STATES } from '@melmastoon/upstream-contracts/ai'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { listSuggestions } from '../../suggestions/list-suggestions.ts'
import { SuggestionVM } from '../../suggestions/suggestion-view.ts'
import { inboxFields, inboxMeta } from '../inbox-envelope.ts'

const SuggestionInboxVM = named(
  'SuggestionInbox',
  Type.Object({ ...inboxFields, rows: Type.Array(SuggestionVM) }),
)

const schema = {
  querystring: Type.Object({
    propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
    state: Type.Optional(Type.Enum([...SUGGESTION_STATES])),
    limit: Type.Integer({ minimum: 1, maximum: 400, default: 100 }),
  }),
  response: { 200: SuggestionInboxVM },
}

/** The suggestions of the operator's classes, with their decisions (B4). */
export function listSuggestionsRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.suggestion.list',
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/ai/suggestions', { config, schema }, async (request, reply) => {
    const { operator, query, deadline, trace } = request
    const { rows, ...rest } = await listSuggestions(ctx, { operator, query }, { deadline, trace })
    reply.header('cache-control', 'private, no-store')
    return { ...inboxMeta(ctx, { propertyId: query.propertyId, rows, ...rest }), rows }
  })
}
