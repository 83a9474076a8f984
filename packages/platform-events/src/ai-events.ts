import { defineEvent } from '@melmastoon/events'
import { causationId, closed, code, id, instant, version } from './fields.ts'

/** Regulated: a suggestion and its end are part of the record of automated decisions. */
const suggestionEvent = {
  version: 1,
  producer: 'ai-orchestrator-service',
  retentionClass: 'regulated',
  retentionDays: 2_557,
  sampleRate: 1,
  piiAllowed: ['suggestionId', 'category', 'class', 'severity', 'status', 'version', 'causationId'],
  payload: closed({
    tenantId: id('tnt'),
    propertyId: id('ppt'),
    suggestionId: id('sug'),
    category: code(),
    /** The roles that decide on it: desk, hk, mt or mgmt. */
    class: code(),
    severity: code(),
    status: code(),
    version: version(),
    occurredAt: instant(),
    causationId: causationId(),
  }),
  orderingKey: (payload: { suggestionId: string }) => payload.suggestionId,
} as const

export const suggestionProposed = defineEvent({
  ...suggestionEvent,
  subject: 'melmastoon.ai.suggestion.proposed.v1',
})

export const suggestionExpired = defineEvent({
  ...suggestionEvent,
  subject: 'melmastoon.ai.suggestion.expired.v1',
})

export const suggestionWithdrawn = defineEvent({
  ...suggestionEvent,
  subject: 'melmastoon.ai.suggestion.withdrawn.v1',
})

/** A decision was recorded; all other screens remove the suggestion. */
export const suggestionDecided = defineEvent({
  ...suggestionEvent,
  subject: 'melmastoon.ai.suggestion.decided.v1',
})
