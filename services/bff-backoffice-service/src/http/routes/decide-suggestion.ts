import type { App, SchemaRequest } from '@melmastoon/chassis/http'
import { type Id, idPattern } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { DECISION_OUTCOMES, SuggestionDecision } from '@melmastoon/upstream-contracts/ai'
import { Type } from 'typebox'
import type { BackofficeContext } from '../../context.ts'
import { DECIDE_PROBLEMS, decideSuggestion } from '../../suggestions/decide-suggestion.ts'
import { SuggestionVM, viewDecision } from '../../suggestions/suggestion-view.ts'
import { Note } from '../note-schema.ts'
import { staffCall } from '../staff-call.ts'
import { staffMutation } from '../staff-mutation.ts'

const DecidedSuggestionVM = named(
  'DecidedSuggestion',
  Type.Object({ suggestion: SuggestionVM, decision: SuggestionDecision }),
)

const schema = {
  params: Type.Object({
    suggestionId: Type.Unsafe<Id<'sug'>>(Type.String({ pattern: idPattern('sug') })),
  }),
  body: named(
    'DecideSuggestionRequest',
    Type.Object({
      outcome: Type.Enum([...DECISION_OUTCOMES]),
      modifiedDelta: Type.Optional(
        Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), {
          minProperties: 1,
          maxProperties: 10,
          description: 'Required for `modified`: the members of the proposal that change',
        }),
      ),
      note: Type.Optional(Note),
    }),
  ),
  response: { 200: DecidedSuggestionVM },
}
type Request = SchemaRequest<typeof schema>

const activity = {
  category: 'ai',
  action: 'suggestion.decide',
  resourceKind: 'suggestion',
  resourceId: ({ params }: Request) => params.suggestionId,
}

/** One binding decision per suggestion (B4): the second operator receives the first one's. */
export function decideSuggestionRoute(app: App, ctx: BackofficeContext) {
  const config = { operation: 'staff.suggestion.decide', problems: DECIDE_PROBLEMS } as const
  const finalRejections = [
    'MELMASTOON.AI.SUGGESTION_DECIDED',
    'MELMASTOON.AI.SUGGESTION_CLOSED',
  ] as const
  const options = { activity, finalRejections }
  const handler = staffMutation<Request>(ctx, options, async (request, claim, work) => {
    const call = staffCall(ctx, request, { claim, work, step: 'decide' })
    const { operator, params, body } = request
    const { suggestion, decision } = await decideSuggestion(
      ctx,
      { ...body, ...params, operator },
      call,
    )
    work.details.propertyId = suggestion.propertyId
    return { response: { status: 200, body: { suggestion, decision: viewDecision(decision) } } }
  })
  app.post('/ai/suggestions/:suggestionId/decide', { config, schema }, handler)
}
