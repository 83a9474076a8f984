import type { Preferences } from '../sessions/choose-preferences.ts'
import { normalizeQuery } from './normalize-query.ts'
import { PAGE_SIZE_DEFAULT, type SearchBody } from './search-fields.ts'
import type { PageRequest } from './search-query.ts'

export function planPage(body: SearchBody, preferences: Preferences, now: Date): PageRequest {
  const query = normalizeQuery(body, now)
  const { cursor, pageSize = PAGE_SIZE_DEFAULT } = body
  // Canonical as it is: a normalised query has its members in one order only.
  const queryText = JSON.stringify(query)
  return {
    kind: 'list',
    query,
    cursor,
    pageSize,
    ...preferences,
    queryText,
    pageKey: `${pageSize} ${JSON.stringify(cursor ?? null)} ${queryText}`,
  }
}
