import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { PropertyId, TenantId } from '@melmastoon/domain'
import type { Suggestion, SuggestionState } from '@melmastoon/upstream-contracts/ai'
import { type Operator, requireProperty } from '../access/operator.ts'
import { selectDecisions, toDecision } from './decision-sql.ts'
import { readSuggestionInbox, type SuggestionInboxDeps } from './suggestion-inbox.ts'
import { classesOf, type SuggestionVM, viewSuggestion } from './suggestion-view.ts'

export interface ListSuggestionsDeps extends SuggestionInboxDeps {
  readonly db: Database
  readonly clock: Clock
}

export interface SuggestionQuery {
  readonly propertyId: PropertyId
  readonly state?: SuggestionState | undefined
  readonly limit: number
}

export interface ListedSuggestions {
  readonly rows: SuggestionVM[]
  readonly total: number
  readonly ageMs: number
  readonly isStale: boolean
}

/** The suggestions that the operator may decide or could have decided, newest first (B4). */
export async function listSuggestions(
  deps: ListSuggestionsDeps,
  { operator, query }: { readonly operator: Operator; readonly query: SuggestionQuery },
  call: UpstreamCall,
): Promise<ListedSuggestions> {
  const propertyId = requireProperty(operator, query.propertyId)
  const { tenantId } = operator
  const inbox = await readSuggestionInbox(deps, { tenantId, propertyId }, call)
  const classes = classesOf(operator)
  const visible = inbox.suggestions.filter((suggestion) => classes.has(suggestion.class))
  const views = await withDecisions(deps, { tenantId, suggestions: visible }, call)
  const found = views.filter(({ state }) => query.state === undefined || state === query.state)
  const { ageMs, isStale } = inbox
  return { rows: found.slice(0, query.limit), total: found.length, ageMs, isStale }
}

/** Our log knows a decision at once; the mirror learns of it up to a minute later. */
async function withDecisions(
  { db, clock }: ListSuggestionsDeps,
  {
    tenantId,
    suggestions,
  }: { readonly tenantId: TenantId; readonly suggestions: readonly Suggestion[] },
  { deadline }: UpstreamCall,
): Promise<SuggestionVM[]> {
  const ids = suggestions.map(({ suggestionId }) => suggestionId)
  const rows = await db.tenantQuery(tenantId, selectDecisions(ids), { deadline })
  const decisions = new Map(rows.map((row) => [row.suggestion_id, toDecision(row)]))
  const nowMs = clock.nowMs()
  return suggestions.map((suggestion) => {
    const view = viewSuggestion(suggestion, decisions.get(suggestion.suggestionId))
    return view.state === 'proposed' && isOverdue(suggestion, nowMs)
      ? { ...view, state: 'expired' as const }
      : view
  })
}

export function isOverdue({ provenance }: Pick<Suggestion, 'provenance'>, nowMs: number): boolean {
  return Date.parse(provenance.expiresAt) <= nowMs
}
