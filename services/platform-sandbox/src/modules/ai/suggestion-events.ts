import type { EventContext, OutboxEvent } from '@melmastoon/events'
import {
  suggestionDecided,
  suggestionExpired,
  suggestionProposed,
  suggestionWithdrawn,
} from '@melmastoon/platform-events'
import type { SuggestionState } from '@melmastoon/upstream-contracts/ai'
import type { ModuleHost } from '../../module.ts'
import type { StoredSuggestion } from './suggestion.ts'

const SUBJECTS = {
  proposed: suggestionProposed.subject,
  accepted: suggestionDecided.subject,
  rejected: suggestionDecided.subject,
  modified: suggestionDecided.subject,
  expired: suggestionExpired.subject,
  withdrawn: suggestionWithdrawn.subject,
} as const satisfies Record<SuggestionState, string>

export interface SuggestionCause {
  readonly registry: ModuleHost['registry']
  readonly cause: EventContext
}

/** The event of the suggestion's current state. */
export function stateEvent(
  { tenantId, detail }: StoredSuggestion,
  { registry, cause }: SuggestionCause,
): OutboxEvent {
  const { propertyId, suggestionId, category, severity, state, version, updatedAt } = detail
  const payload = {
    tenantId,
    propertyId,
    suggestionId,
    category,
    class: detail.class,
    severity,
    status: state,
    version,
    occurredAt: updatedAt,
    causationId: detail.history.at(-1)?.causationId ?? null,
  }
  return registry.build(SUBJECTS[state], payload, { ...cause, tenantId })
}
