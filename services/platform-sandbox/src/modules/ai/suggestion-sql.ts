import { rawSql, type Statement, sql } from '@melmastoon/chassis/db'
import type { StoredProvenance, SuggestionRow } from './suggestion.ts'

/** The columns of a `SuggestionRow`; the table alias is `s`. */
const suggestionColumns = rawSql(`
  s.tenant_id, s.suggestion_id, s.property_id, s.category, s.class, s.severity, s.state, s.title,
  s.resource_kind, s.resource_id, s.proposal, s.provenance, s.generated_at, s.expires_at,
  s.version, s.updated_at, s.expires_at <= clock_timestamp() as is_overdue,
  (select to_jsonb(d) from sandbox.ai_decision d
    where d.tenant_id = s.tenant_id and d.suggestion_id = s.suggestion_id) as decision,
  coalesce((select jsonb_agg(to_jsonb(h) order by h.version) from sandbox.ai_history h
    where h.tenant_id = s.tenant_id and h.suggestion_id = s.suggestion_id), '[]') as history`)

export interface SuggestionRef {
  readonly tenant: string
  readonly suggestion: string
}

export function selectSuggestion({ tenant, suggestion }: SuggestionRef): Statement<SuggestionRow> {
  return sql<SuggestionRow>`
    select ${suggestionColumns} from sandbox.ai_suggestion s
    where s.tenant_id = ${tenant}::uuid and s.suggestion_id = ${suggestion}::uuid`
}

/** Changes of one suggestion are serialized; it is read by a separate statement afterwards. */
export function lockSuggestion(ref: SuggestionRef): Statement<{ suggestion_id: string }> {
  return sql<{ suggestion_id: string }>`
    select suggestion_id from sandbox.ai_suggestion
    where tenant_id = ${ref.tenant}::uuid and suggestion_id = ${ref.suggestion}::uuid for update`
}

export interface SuggestionPage {
  readonly tenant: string
  readonly property: string
  readonly state: string | null
  readonly class: string | null
  /** The last suggestion of the page before. */
  readonly after: string | null
  readonly rows: number
}

export function selectSuggestions(page: SuggestionPage): Statement<SuggestionRow> {
  return sql<SuggestionRow>`
    select ${suggestionColumns} from sandbox.ai_suggestion s
    where s.tenant_id = ${page.tenant}::uuid and s.property_id = ${page.property}::uuid
      and (${page.state}::text is null or s.state = ${page.state})
      and (${page.class}::text is null or s.class = ${page.class})
      and (${page.after}::uuid is null or (s.generated_at, s.suggestion_id) < (
        select b.generated_at, b.suggestion_id from sandbox.ai_suggestion b
        where b.tenant_id = ${page.tenant}::uuid and b.suggestion_id = ${page.after}::uuid))
    order by s.generated_at desc, s.suggestion_id desc limit ${page.rows}`
}

/** Of all tenants, newest first, for the control room. */
export function selectRecentSuggestions(rows: number): Statement<SuggestionRow> {
  return sql<SuggestionRow>`
    select ${suggestionColumns} from sandbox.ai_suggestion s
    order by s.generated_at desc, s.suggestion_id desc limit ${rows}`
}

export interface NewSuggestion {
  readonly tenant_id: string
  readonly suggestion_id: string
  readonly property_id: string
  readonly category: string
  readonly class: string
  readonly severity: string
  readonly title: SuggestionRow['title']
  readonly resource_kind: string
  readonly resource_id: string
  readonly proposal: SuggestionRow['proposal']
  readonly provenance: StoredProvenance
  readonly generated_at: string
  readonly expires_at: string
  readonly deduplication_key: string
}

/** Only those whose condition was not suggested before. */
export function insertSuggestions(
  suggestions: readonly NewSuggestion[],
): Statement<{ suggestion_id: string }> {
  return sql<{ suggestion_id: string }>`
    with added as (
      insert into sandbox.ai_suggestion (tenant_id, suggestion_id, property_id, category, class,
        severity, title, resource_kind, resource_id, proposal, provenance, generated_at, expires_at,
        deduplication_key, updated_at)
      select n.*, n.generated_at
      from jsonb_to_recordset(${JSON.stringify(suggestions)}::jsonb) as n (tenant_id uuid,
        suggestion_id uuid, property_id uuid, category text, class text, severity text, title jsonb,
        resource_kind text, resource_id text, proposal jsonb, provenance jsonb,
        generated_at timestamptz, expires_at timestamptz, deduplication_key text)
      on conflict do nothing
      returning tenant_id, suggestion_id, generated_at),
    noted as (
      insert into sandbox.ai_history (tenant_id, suggestion_id, version, status, at)
      select tenant_id, suggestion_id, 1, 'proposed', generated_at from added)
    select suggestion_id from added`
}

export interface Move extends SuggestionRef {
  readonly from: readonly string[]
  readonly to: string
  readonly operator: string | null
  readonly causationId: string | null
}

/** No row when the suggestion is in another state. */
export function moveSuggestion(move: Move): Statement<{ version: number }> {
  return sql<{ version: number }>`
    with moved as (
      update sandbox.ai_suggestion s
      set state = ${move.to}, version = s.version + 1, updated_at = clock_timestamp()
      where s.tenant_id = ${move.tenant}::uuid and s.suggestion_id = ${move.suggestion}::uuid
        and s.state = any(${move.from}::text[])
      returning s.tenant_id, s.suggestion_id, s.version, s.updated_at)
    insert into sandbox.ai_history (tenant_id, suggestion_id, version, status, at, operator_id,
      causation_id)
    select tenant_id, suggestion_id, version, ${move.to}, updated_at, ${move.operator}::uuid,
      ${move.causationId}
    from moved returning version`
}

/** The suggestions that are overdue, oldest first; those that others are changing are skipped. */
export function lockDueSuggestions(rows: number): Statement<SuggestionRef> {
  return sql<SuggestionRef>`
    select tenant_id as tenant, suggestion_id as suggestion from sandbox.ai_suggestion
    where state = 'proposed' and expires_at <= clock_timestamp()
    order by expires_at limit ${rows} for update skip locked`
}

export interface NewDecision extends SuggestionRef {
  readonly decision: string
  readonly outcome: string
  readonly modifiedDelta: Record<string, unknown> | null
  readonly operator: string
  readonly device: string
  /** Null: now. */
  readonly decidedAt: string | null
}

export function insertDecision(decision: NewDecision): Statement<unknown> {
  const delta = decision.modifiedDelta === null ? null : JSON.stringify(decision.modifiedDelta)
  return sql`
    insert into sandbox.ai_decision (tenant_id, suggestion_id, decision_id, outcome, modified_delta,
      operator_id, device_id, decided_at)
    values (${decision.tenant}::uuid, ${decision.suggestion}::uuid, ${decision.decision}::uuid,
      ${decision.outcome}, ${delta}::jsonb, ${decision.operator}::uuid, ${decision.device}::uuid,
      coalesce(${decision.decidedAt}::timestamptz, clock_timestamp()))`
}
