import { type Static, Type } from 'typebox'
import { defineContract } from '../contract.ts'
import { Actor, CausationId, id, instant, named, ResourceHistory, text } from '../schemas.ts'
import { Message, ResourceRef, Severity } from '../staff-message.ts'
import { Proposal, SUGGESTION_CATEGORIES, SUGGESTION_CLASSES } from './proposals.ts'

export {
  applyModifiedDelta,
  type DeltaError,
  findDeltaErrors,
  findDeltaFormErrors,
} from './modified-delta.ts'
export {
  CLASS_OF_CATEGORY,
  MODIFIED_DELTAS,
  type ModifiedDeltaOf,
  PROPOSALS,
  Proposal,
  type ProposalOf,
  SUGGESTION_CATEGORIES,
  SUGGESTION_CLASSES,
  type SuggestionCategory,
  type SuggestionClass,
} from './proposals.ts'

export const SUGGESTION_STATES = [
  'proposed',
  'accepted',
  'rejected',
  'modified',
  'expired',
  'withdrawn',
] as const
export const DECISION_OUTCOMES = ['accepted', 'rejected', 'modified'] as const

export type SuggestionState = (typeof SUGGESTION_STATES)[number]
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number]

const State = Type.Enum([...SUGGESTION_STATES])
const Outcome = Type.Enum([...DECISION_OUTCOMES])

/** Checked by `findDeltaErrors` of this package, against the category and the proposal. */
const ModifiedDelta = Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), {
  minProperties: 1,
  maxProperties: 10,
})

/** How a suggestion came about, for audits. */
export const Provenance = named(
  'SuggestionProvenance',
  Type.Object({
    /** Of the catalogue of the AI service: `pricing.suggest`. */
    capability: Type.String({ pattern: '^[a-z_]{2,30}\\.[a-z_]{2,40}$' }),
    model: text(80),
    modelVersion: text(40),
    promptVersion: text(40),
    /** Of the canonical input of the model. */
    inputHash: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
    /** The state of the data that the input was read from. */
    snapshotId: text(80),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    generatedAt: instant(),
    expiresAt: instant(),
    /** Made by fixed rules because no model was available. */
    fallback: Type.Boolean(),
    traceId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  }),
)
export type Provenance = Static<typeof Provenance>

export const SuggestionDecision = named(
  'SuggestionDecision',
  Type.Object({
    decisionId: id('sdl'),
    outcome: Outcome,
    modifiedDelta: Type.Optional(ModifiedDelta),
    operatorId: id('opr'),
    deviceId: id('dev'),
    decidedAt: instant(),
  }),
)
export type SuggestionDecision = Static<typeof SuggestionDecision>

const row = {
  suggestionId: id('sug'),
  propertyId: id('ppt'),
  category: Type.Enum([...SUGGESTION_CATEGORIES]),
  class: Type.Enum([...SUGGESTION_CLASSES]),
  severity: Severity,
  state: State,
  title: Message,
  ...ResourceRef,
  proposal: Proposal,
  provenance: Provenance,
  decision: Type.Optional(SuggestionDecision),
  version: Type.Integer({ minimum: 1 }),
  updatedAt: instant(),
}

export const Suggestion = named('Suggestion', Type.Object(row))
export type Suggestion = Static<typeof Suggestion>

export const SuggestionDetail = named(
  'SuggestionDetail',
  Type.Object({ ...row, history: ResourceHistory(State) }),
)
export type SuggestionDetail = Static<typeof SuggestionDetail>

const SuggestionParams = Type.Object({ suggestionId: id('sug') })

export const aiContract = defineContract({
  upstream: 'ai',
  basePath: '/api/v1/ai',
  operations: {
    listSuggestions: {
      method: 'GET',
      path: '/properties/:propertyId/suggestions',
      summary: 'List the suggestions for a property, newest first',
      params: Type.Object({ propertyId: id('ppt') }),
      query: Type.Object({
        state: Type.Optional(State),
        class: Type.Optional(Type.Enum([...SUGGESTION_CLASSES])),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
        cursor: Type.Optional(text(200)),
      }),
      response: Type.Object({
        suggestions: Type.Array(Suggestion, { maxItems: 200 }),
        nextCursor: Type.Optional(text(200)),
      }),
      tenantScoped: true,
      errorCodes: ['MELMASTOON.PROPERTY.NOT_FOUND'],
    },
    getSuggestion: {
      method: 'GET',
      path: '/suggestions/:suggestionId',
      summary: 'A suggestion, with its decision and history',
      params: SuggestionParams,
      response: SuggestionDetail,
      tenantScoped: true,
      errorCodes: ['MELMASTOON.AI.SUGGESTION_NOT_FOUND'],
    },
    recordDecision: {
      method: 'POST',
      path: '/suggestions/:suggestionId/decision',
      summary: 'Record the decision on a suggestion; it is final, and a repetition changes nothing',
      params: SuggestionParams,
      body: Type.Object({
        /** A decision that was recorded is returned for the same id at any later time. */
        decisionId: id('sdl'),
        outcome: Outcome,
        /** Required for `modified`, forbidden otherwise. */
        modifiedDelta: Type.Optional(ModifiedDelta),
        decidedAt: Type.Optional(instant()),
        actor: Actor,
        causationId: Type.Optional(CausationId),
      }),
      response: SuggestionDetail,
      tenantScoped: true,
      idempotent: true,
      errorCodes: [
        'MELMASTOON.AI.SUGGESTION_NOT_FOUND',
        'MELMASTOON.AI.SUGGESTION_DECIDED',
        'MELMASTOON.AI.SUGGESTION_CLOSED',
        'MELMASTOON.AI.DELTA_INVALID',
      ],
    },
  },
})
