import type { Database, Queryable } from '@melmastoon/chassis/db'
import { type Id, idToUuid, isId, problem, type TenantId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { SuggestionDetail } from '@melmastoon/upstream-contracts/ai'
import type { AiHost } from './ai-host.ts'
import { type AiOperations, fromRow, type StoredSuggestion } from './suggestion.ts'
import {
  type SuggestionRef,
  selectRecentSuggestions,
  selectSuggestion,
  selectSuggestions,
} from './suggestion-sql.ts'

type List = AiOperations['listSuggestions']

const LIMIT_DEFAULT = 50

export async function findSuggestion(db: Queryable, ref: SuggestionRef): Promise<StoredSuggestion> {
  const [row] = await db.query(selectSuggestion(ref))
  if (row === undefined) throw problem('MELMASTOON.AI.SUGGESTION_NOT_FOUND')
  return fromRow(row)
}

export async function readSuggestion(
  db: Database,
  tenantId: TenantId,
  suggestionId: Id<'sug'>,
): Promise<SuggestionDetail> {
  const ref = { tenant: idToUuid(tenantId), suggestion: idToUuid(suggestionId) }
  return (await findSuggestion(db.scoped(tenantId), ref)).detail
}

export async function listSuggestions(
  host: AiHost,
  { params, query }: InputOf<List>,
  tenantId: TenantId,
): Promise<OutputOf<List>> {
  await host.property.readHotel({ tenantId, propertyId: params.propertyId })
  const { state = null, class: ofClass = null, cursor, limit = LIMIT_DEFAULT } = query
  const page = selectSuggestions({
    tenant: idToUuid(tenantId),
    property: idToUuid(params.propertyId),
    state,
    class: ofClass,
    after: cursor === undefined ? null : readCursor(cursor),
    rows: limit + 1,
  })
  const found = (await host.db.tenantQuery(tenantId, page)).map(fromRow)
  const suggestions = found.slice(0, limit).map(toListed)
  const last = suggestions.at(-1)
  return found.length <= limit || last === undefined
    ? { suggestions }
    : { suggestions, nextCursor: last.suggestionId }
}

/** Of all tenants. */
export async function recentSuggestions(
  relayDb: Database,
  rows: number,
): Promise<StoredSuggestion[]> {
  return (await relayDb.query(selectRecentSuggestions(rows))).map(fromRow)
}

function toListed({ detail }: StoredSuggestion) {
  const { history: _, ...listed } = detail
  return listed
}

/** The id of the last suggestion; suggestions are never deleted, so it stays valid. */
function readCursor(cursor: string): string {
  if (isId('sug', cursor)) return idToUuid(cursor)
  const errors = [{ pointer: '/query/cursor', code: 'unknown', detail: 'is not a valid cursor' }]
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
