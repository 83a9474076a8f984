import { daysBetween, type IsoDate, type IsoDateTime, nightsBetween } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { searchExecuted } from '../events/search-events.ts'
import type { RecentSearch } from '../search/identify-search.ts'
import type { PageRequest, SearchFilters } from '../search/search-query.ts'
import type { ServedPage } from '../search/served-page.ts'
import { report, type Witnessed } from './report.ts'

const { debounceSeconds = 0 } = searchExecuted

export interface ExecutedSearch extends Witnessed {
  readonly search: RecentSearch
  readonly page: PageRequest
  readonly served: ServedPage
}

export function reportSearch(ctx: ConsumerContext, executed: ExecutedSearch): void {
  const { search, page } = executed
  const nowMs = ctx.clock.nowMs()
  if (isRepetition(executed, nowMs)) return
  // Also when nothing is told: whether to tell is a hash, and a reload need not ask again.
  search.judged = { pageKey: page.pageKey, atMs: nowMs }
  report(ctx, searchExecuted, { ...executed, payload: (at) => describeSearch(executed, at) })
}

function describeSearch(
  { session, search, page, served }: ExecutedSearch,
  executedAt: IsoDateTime,
) {
  const { query } = page
  const today = executedAt.slice(0, 10) as IsoDate
  return {
    guestSessionId: session.id,
    searchSessionId: search.id,
    kind: page.kind,
    queryHash: page.queryHash,
    geoMode: query.geo.mode,
    nights: nightsBetween(query.dates),
    leadDays: daysBetween(today, query.dates.checkIn),
    adults: query.occupancy.adults,
    children: query.occupancy.children,
    rooms: query.occupancy.rooms,
    filters: Object.keys(query.filters) as (keyof SearchFilters)[],
    sortKey: query.sortKey,
    isFirstPage: page.cursor === undefined,
    pageSize: page.pageSize,
    resultCount: served.facts.total,
    itemCount: served.facts.items,
    pricedCount: served.facts.priced,
    cache: served.origin.state,
    locale: page.locale,
    currency: page.currency,
    executedAt,
  }
}

/** The same page again within moments is a reload, not another search. */
function isRepetition({ search, page }: ExecutedSearch, nowMs: number): boolean {
  const { judged } = search
  if (judged === null || judged.pageKey !== page.pageKey) return false
  return nowMs - judged.atMs < debounceSeconds * 1_000
}
