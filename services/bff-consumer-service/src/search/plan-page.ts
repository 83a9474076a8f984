import { tagsOfArea } from '../places/tags-of-area.ts'
import type { Preferences } from '../sessions/choose-preferences.ts'
import { hashQuery } from './hash-query.ts'
import { normalizeQuery } from './normalize-query.ts'
import { PAGE_SIZE_DEFAULT, type SearchBody } from './search-fields.ts'
import type { PageRequest } from './search-query.ts'

export function planPage(body: SearchBody, preferences: Preferences, now: Date): PageRequest {
  const query = normalizeQuery(body, now)
  const { cursor, pageSize = PAGE_SIZE_DEFAULT } = body
  // Canonical as it is: a normalised query has its members in one order only.
  const queryText = JSON.stringify(query)
  const pageKey = `${pageSize} ${JSON.stringify(cursor ?? null)} ${queryText}`
  return {
    kind: 'list',
    query,
    cursor,
    pageSize,
    ...preferences,
    queryText,
    queryHash: hashQuery(queryText),
    pageKey,
    dims: Object.freeze({ ...preferences, query: pageKey }),
    tags: tagsOfArea(query.geo),
  }
}
