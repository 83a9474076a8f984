import { hash } from 'node:crypto'
import { type Id, idToUuid, type PropertyId, type TenantId } from '@melmastoon/domain'
import { CLASS_OF_CATEGORY } from '@melmastoon/upstream-contracts/ai'
import type { Draft } from './rules.ts'
import type { NewSuggestion } from './suggestion-sql.ts'

const DAY_MS = 86_400_000
const MODEL = 'deterministic-rules'
const MODEL_VERSION = '1'
/** The rules have no prompt; the version of their texts. */
const PROMPT_VERSION = 'rules-1'

export interface Generation {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly suggestionId: Id<'sug'>
  /** The canonical input of the rules. */
  readonly input: unknown
  /** The state of the data that the input was read from. */
  readonly snapshotId: string
  readonly generatedAt: Date
  /** Prefix of the deduplication key: suggestions of another day are new. */
  readonly period: string
}

/** Marked as a fallback: no model was asked. */
export function buildSuggestion(draft: Draft, generation: Generation): NewSuggestion {
  const { tenantId, propertyId, suggestionId, generatedAt, snapshotId, period } = generation
  const inputHash = hash('sha256', JSON.stringify(generation.input))
  const category = draft.proposal.kind
  return {
    tenant_id: idToUuid(tenantId),
    suggestion_id: idToUuid(suggestionId),
    property_id: idToUuid(propertyId),
    category,
    class: CLASS_OF_CATEGORY[category],
    severity: draft.severity,
    title: draft.title,
    resource_kind: draft.resourceKind,
    resource_id: draft.resourceId,
    proposal: draft.proposal,
    provenance: {
      capability: draft.capability,
      model: MODEL,
      modelVersion: MODEL_VERSION,
      promptVersion: PROMPT_VERSION,
      inputHash: `sha256:${inputHash}`,
      snapshotId,
      confidence: Math.round(Math.min(draft.confidence, 1) * 100) / 100,
      fallback: true,
      traceId: hash('sha256', `${suggestionId}:${inputHash}`).slice(0, 32),
    },
    generated_at: generatedAt.toISOString(),
    expires_at: new Date(generatedAt.getTime() + draft.validDays * DAY_MS).toISOString(),
    deduplication_key: `${period}:${draft.key}`,
  }
}
