import { type Id, idPattern, toIsoDateTime } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import {
  Suggestion,
  SuggestionDecision,
  type SuggestionState,
} from '@melmastoon/upstream-contracts/ai'
import { type Static, Type } from 'typebox'
import type { BoardClass, Operator, OperatorRole } from '../access/operator.ts'
import type { Decision } from './decision.ts'

const { suggestionId, propertyId, category, severity, state, title, resourceKind, resourceId } =
  Suggestion.properties
const { proposal, provenance, version } = Suggestion.properties

export const SuggestionVM = named(
  'SuggestionInboxEntry',
  Type.Object({
    suggestionId,
    entryId: Type.String({ pattern: idPattern('aim') }),
    propertyId,
    category,
    class: Suggestion.properties.class,
    severity,
    state,
    title,
    resourceKind,
    resourceId,
    proposal,
    provenance,
    decision: Type.Optional(SuggestionDecision),
    version,
  }),
)
export type SuggestionVM = Static<typeof SuggestionVM>

const CLASSES: Readonly<Record<OperatorRole, readonly BoardClass[]>> = {
  front_desk: ['desk'],
  housekeeping: ['hk'],
  maintenance: ['mt'],
  general_manager: ['desk', 'hk', 'mt', 'mgmt'],
  owner: ['desk', 'hk', 'mt', 'mgmt'],
}

/** Housekeeping and maintenance: leads only. */
const LEADS_ONLY: ReadonlySet<OperatorRole> = new Set(['housekeeping', 'maintenance'])

/** The classes of suggestions that the operator sees and decides. */
export function classesOf({ roles, isLead }: Operator): ReadonlySet<BoardClass> {
  const deciding = roles.filter((role) => isLead || !LEADS_ONLY.has(role))
  return new Set(deciding.flatMap((role) => CLASSES[role]))
}

/** @param decision as in our log, which knows a decision before the AI service does. */
export function viewSuggestion(suggestion: Suggestion, decision?: Decision): SuggestionVM {
  const binding = decision === undefined ? suggestion.decision : viewDecision(decision)
  return {
    suggestionId: suggestion.suggestionId,
    entryId: entryIdOf(suggestion.suggestionId),
    propertyId: suggestion.propertyId,
    category: suggestion.category,
    class: suggestion.class,
    severity: suggestion.severity,
    state: stateOf(suggestion, decision),
    title: suggestion.title,
    resourceKind: suggestion.resourceKind,
    resourceId: suggestion.resourceId,
    proposal: suggestion.proposal,
    provenance: suggestion.provenance,
    ...(binding !== undefined && { decision: binding }),
    version: suggestion.version,
  }
}

function stateOf({ state: known }: Suggestion, decision: Decision | undefined): SuggestionState {
  return decision?.outcome ?? known
}

export function viewDecision(decision: Decision): SuggestionDecision {
  const { decisionId, outcome, modifiedDelta, operatorId, deviceId, decidedAt } = decision
  return {
    decisionId,
    outcome,
    ...(modifiedDelta !== null && { modifiedDelta }),
    operatorId,
    deviceId,
    decidedAt: toIsoDateTime(decidedAt),
  }
}

/** A suggestion has one entry per inbox, hence the same id with another prefix. */
export const entryIdOf = (id: Id<'sug'>): Id<'aim'> => id.replace('sug_', 'aim_') as Id<'aim'>
