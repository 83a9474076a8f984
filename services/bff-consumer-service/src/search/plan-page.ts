import { hash } from 'node:crypto'
import type { CurrencyCode, Locale } from '@melmastoon/domain'
import { areaTags } from '../places/place-tags.ts'
import { normalizeQuery, type PageRequest, type SearchQuery } from './search-query.ts'
import { PAGE_SIZE_DEFAULT, type SearchBody } from './search-schema.ts'

export interface Preferences {
  readonly locale: Locale
  readonly currency: CurrencyCode
}

export function planPage(body: SearchBody, preferences: Preferences, now: Date): PageRequest {
  const query = normalizeQuery(body, now)
  const { cursor, pageSize = PAGE_SIZE_DEFAULT } = body
  const plan = planQuery(query, preferences)
  const pageKey = `${pageSize} ${JSON.stringify(cursor ?? null)} ${plan.queryText}`
  const dims = Object.freeze({ ...preferences, query: pageKey })
  return { kind: 'list', cursor, pageSize, ...plan, pageKey, dims }
}

/** The members of a plan that a list and a map have in common. */
export function planQuery(query: SearchQuery, preferences: Preferences) {
  // Canonical: a normalized query has its members in one order only.
  const queryText = JSON.stringify(query)
  const queryHash = `sha256:${hash('sha256', queryText)}`
  return { query, ...preferences, queryText, queryHash, tags: areaTags(query.geo) }
}

type Plan<Body, Page> = (body: Body, preferences: Preferences, now: Date) => Page

/** Which dates are valid changes at midnight and at noon (UTC), never within an hour. */
const HOUR_MS = 3_600_000
/** Bounds the memory if a caller sends one body with all languages and currencies. */
const VIEWS_MAX = 8

/**
 * The route caches parsed bodies, so equal bodies are the same object: each is planned once for
 * each language and currency, and again in the next hour.
 */
export function memoizePlans<Body extends object, Page>(plan: Plan<Body, Page>) {
  const known = new WeakMap<Body, Map<string, { readonly hour: number; readonly page: Page }>>()
  return (body: Body, preferences: Preferences, nowMs: number): Page => {
    const hour = Math.floor(nowMs / HOUR_MS)
    const view = `${preferences.locale} ${preferences.currency}`
    const planned = known.get(body)
    const seen = planned?.get(view)
    if (seen?.hour === hour) return seen.page
    const page = plan(body, preferences, new Date(nowMs))
    if (planned === undefined) {
      known.set(body, new Map([[view, { hour, page }]]))
      return page
    }
    if (planned.size >= VIEWS_MAX) planned.clear()
    planned.set(view, { hour, page })
    return page
  }
}
