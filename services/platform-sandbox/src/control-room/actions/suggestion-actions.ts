import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { RULE_CATEGORIES } from '../../modules/ai/module.ts'
import { defineAction } from './action.ts'

const SuggestionParams = Type.Object({ tenantId: id('tnt'), suggestionId: id('sug') })

export const proposeSuggestion = defineAction({
  name: 'suggestion.propose',
  path: '/tenants/:tenantId/properties/:propertyId/suggestions/propose',
  summary: 'Propose a suggestion to the staff of a detailed hotel',
  done: 'The suggestion is proposed.',
  section: 'suggestions',
  params: Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') }),
  body: Type.Object({ category: Type.Enum([...RULE_CATEGORIES]) }),
  run: (room, { params, body }, operator) =>
    room.modules.ai.propose({ ...params, ...body }, operator.causeFor(params.tenantId)),
})

export const withdrawSuggestion = defineAction({
  name: 'suggestion.withdraw',
  path: '/tenants/:tenantId/suggestions/:suggestionId/withdraw',
  summary: 'Withdraw an open suggestion',
  done: 'The suggestion is withdrawn.',
  section: 'suggestions',
  params: SuggestionParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    room.modules.ai.end(params, { to: 'withdrawn', cause: operator.causeFor(params.tenantId) }),
})

export const expireSuggestion = defineAction({
  name: 'suggestion.expire',
  path: '/tenants/:tenantId/suggestions/:suggestionId/expire',
  summary: 'Expire an open suggestion now',
  done: 'The suggestion has expired.',
  section: 'suggestions',
  params: SuggestionParams,
  body: Type.Object({}),
  run: (room, { params }, operator) =>
    room.modules.ai.end(params, { to: 'expired', cause: operator.causeFor(params.tenantId) }),
})
