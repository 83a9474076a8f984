import { type IsoDateTime, type TenantId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type {
  aiContract,
  DecisionOutcome,
  Provenance,
  SuggestionDetail,
  SuggestionState,
} from '@melmastoon/upstream-contracts/ai'

export type AiOperations = (typeof aiContract)['operations']

/** The part of the provenance that is stored as one document. */
export type StoredProvenance = Omit<Provenance, 'generatedAt' | 'expiresAt'>

export interface SuggestionRow {
  readonly tenant_id: string
  readonly suggestion_id: string
  readonly property_id: string
  readonly category: SuggestionDetail['category']
  readonly class: SuggestionDetail['class']
  readonly severity: SuggestionDetail['severity']
  readonly state: SuggestionState
  readonly title: SuggestionDetail['title']
  readonly resource_kind: SuggestionDetail['resourceKind']
  readonly resource_id: string
  readonly proposal: SuggestionDetail['proposal']
  readonly provenance: StoredProvenance
  readonly generated_at: Date
  readonly expires_at: Date
  readonly version: number
  readonly updated_at: Date
  /** By the clock of the database. */
  readonly is_overdue: boolean
  readonly decision: DecisionRow | null
  /** Oldest first. */
  readonly history: readonly HistoryRow[]
}

interface DecisionRow {
  readonly decision_id: string
  readonly outcome: DecisionOutcome
  readonly modified_delta: Record<string, unknown> | null
  readonly operator_id: string
  readonly device_id: string
  readonly decided_at: string
}

interface HistoryRow {
  readonly version: number
  readonly status: SuggestionState
  readonly at: string
  readonly operator_id: string | null
  readonly causation_id: string | null
}

export interface StoredSuggestion {
  readonly tenantId: TenantId
  readonly isOverdue: boolean
  /** The form of the contract, for callers. */
  readonly detail: SuggestionDetail
}

export function fromRow(row: SuggestionRow): StoredSuggestion {
  const { decision } = row
  const detail: SuggestionDetail = {
    suggestionId: uuidToId('sug', row.suggestion_id),
    propertyId: uuidToId('ppt', row.property_id),
    category: row.category,
    class: row.class,
    severity: row.severity,
    state: row.state,
    title: row.title,
    resourceKind: row.resource_kind,
    resourceId: row.resource_id,
    proposal: row.proposal,
    provenance: {
      ...row.provenance,
      generatedAt: toIsoDateTime(row.generated_at),
      expiresAt: toIsoDateTime(row.expires_at),
    },
    ...(decision !== null && { decision: toDecision(decision) }),
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
    history: row.history.map(toEntry),
  }
  return { tenantId: uuidToId('tnt', row.tenant_id), isOverdue: row.is_overdue, detail }
}

function toDecision(row: DecisionRow): NonNullable<SuggestionDetail['decision']> {
  return {
    decisionId: uuidToId('sdl', row.decision_id),
    outcome: row.outcome,
    ...(row.modified_delta !== null && { modifiedDelta: row.modified_delta }),
    operatorId: uuidToId('opr', row.operator_id),
    deviceId: uuidToId('dev', row.device_id),
    decidedAt: instantOf(row.decided_at),
  }
}

function toEntry(row: HistoryRow): SuggestionDetail['history'][number] {
  return {
    version: row.version,
    status: row.status,
    at: instantOf(row.at),
    ...(row.operator_id !== null && { operatorId: uuidToId('opr', row.operator_id) }),
    ...(row.causation_id !== null && { causationId: row.causation_id }),
  }
}

/** JSON of the database has another format. */
function instantOf(text: string): IsoDateTime {
  return toIsoDateTime(new Date(text))
}
