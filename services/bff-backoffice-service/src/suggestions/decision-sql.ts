import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { appendEventsFragment } from '@melmastoon/chassis/outbox'
import {
  type DeviceId,
  type Id,
  idToUuid,
  type OperatorId,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { DecisionOutcome, Suggestion } from '@melmastoon/upstream-contracts/ai'
import type { Decision, ModifiedDelta } from './decision.ts'
import { entryIdOf } from './suggestion-view.ts'

export interface DecisionRow {
  readonly id: string
  readonly suggestion_id: string
  readonly outcome: DecisionOutcome
  readonly modified_delta: ModifiedDelta | null
  readonly decided_by: string
  readonly device_id: string
  readonly decided_at: Date
}

const COLUMNS = rawSql(
  'id, suggestion_id, outcome, modified_delta, decided_by, device_id, decided_at',
)

export function toDecision(row: DecisionRow): Decision {
  return {
    decisionId: uuidToId('sdl', row.id),
    suggestionId: row.suggestion_id as Id<'sug'>,
    outcome: row.outcome,
    modifiedDelta: row.modified_delta,
    operatorId: row.decided_by as OperatorId,
    deviceId: row.device_id as DeviceId,
    decidedAt: row.decided_at,
  }
}

export function selectDecisions(suggestionIds: readonly Id<'sug'>[]): Statement<DecisionRow> {
  return sql<DecisionRow>`select ${COLUMNS} from ai_decision_log
    where suggestion_id = any (${suggestionIds}::text[])`
}

export interface NewDecision {
  readonly tenantId: TenantId
  readonly decision: Decision
  readonly suggestion: Suggestion
  readonly note: string | null
  /** What follows from the decision; inserted with it. */
  readonly effects: SqlFragment
  readonly event: OutboxEvent
}

/**
 * The first decision binds (D14); no row: there is one. No conflict target is named: two requests
 * of one operator conflict in both unique indexes, and the one that is not named would be an error.
 */
export function insertDecision(created: NewDecision): Statement<{ id: string }> {
  const { tenantId, decision, suggestion, note, effects, event } = created
  return sql<{ id: string }>`with decided as (
      insert into ai_decision_log (id, tenant_id, property_id, suggestion_id, inbox_entry_id,
        category, severity, outcome, modified_delta, notes_truncated, decided_at, decided_by,
        device_id, provenance)
      values (${idToUuid(decision.decisionId)}::uuid, ${idToUuid(tenantId)}::uuid,
        ${idToUuid(suggestion.propertyId)}::uuid, ${suggestion.suggestionId},
        ${entryIdOf(suggestion.suggestionId)}, ${suggestion.category}, ${suggestion.severity},
        ${decision.outcome}, ${jsonOrNull(decision.modifiedDelta)}::jsonb, ${note},
        ${decision.decidedAt}::timestamptz, ${decision.operatorId}, ${decision.deviceId},
        ${JSON.stringify(suggestion.provenance)}::jsonb)
      on conflict do nothing
      returning id),
    effects as (${effects}),
    events as (${appendEventsFragment([event], { onlyIf: sql`exists (select from decided)` })})
    select id from decided`
}

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))
