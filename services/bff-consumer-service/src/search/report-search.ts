import type { Clock } from '@melmastoon/chassis/clock'
import { daysBetween, type IsoDate, type IsoDateTime, nightsBetween } from '@melmastoon/domain'
import { searchExecuted } from '../events/search-events.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import { type ReportDeps, report } from '../telemetry/report.ts'
import type { RecentSearch } from './identify-search.ts'
import type { PageRequest, SearchFilters } from './search-query.ts'
import type { ServedPage } from './served-page.ts'

const { debounceSeconds = 0 } = searchExecuted

export interface ExecutedSearch extends GuestActor {
  readonly search: RecentSearch
  readonly page: PageRequest
  readonly served: ServedPage
}

export type ReportSearchDeps = ReportDeps & { readonly clock: Clock }

/** A repetition of the same page within seconds is a reload and not reported again. */
export function reportSearch(deps: ReportSearchDeps, executed: ExecutedSearch): void {
  const { search, page } = executed
  const nowMs = deps.clock.nowMs()
  if (isRepetition(executed, nowMs)) return
  // Also when no event is sent: sampling is deterministic, so a reload has the same outcome.
  search.lastReport = { pageKey: page.pageKey, atMs: nowMs }
  report(deps, searchExecuted, { ...executed, payload: (at) => describeSearch(executed, at) })
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

function isRepetition({ search, page }: ExecutedSearch, nowMs: number): boolean {
  const { lastReport } = search
  if (lastReport === null || lastReport.pageKey !== page.pageKey) return false
  return nowMs - lastReport.atMs < debounceSeconds * 1_000
}
