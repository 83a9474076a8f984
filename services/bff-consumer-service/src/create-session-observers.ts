import { limitNewSession, type NewSessionDeps, recordNewSession } from './bots/new-session.ts'
import type { SearchSessions } from './search/search-session.ts'
import type { SessionObserver } from './sessions/session-observers.ts'
import { type DiscardDeps, discardPendingTelemetry } from './telemetry/discard-pending.ts'
import type { ReportDeps } from './telemetry/report.ts'
import { reportSession } from './telemetry/report-session.ts'
import { deleteWishes, extendWishlistTtl, type WishlistLifeDeps } from './wishlist/wishlist-life.ts'

type ObserverDeps = NewSessionDeps &
  ReportDeps &
  DiscardDeps &
  WishlistLifeDeps & { readonly searchSessions: Pick<SearchSessions, 'deleteAll'> }

/** Part of the composition root: what the features do with sessions. */
export function createSessionObservers(deps: ObserverDeps): SessionObserver[] {
  return [
    {
      beforeStart: (client) => limitNewSession(deps, client),
      afterStart: (started) => recordNewSession(deps, started.client, started.session.id),
    },
    {
      afterStart: (started) => reportSession(deps, started),
      onConsentWithdrawn: (id) => discardPendingTelemetry(deps, id),
    },
    {
      onSeen: (session) => extendWishlistTtl(deps, session),
      deleteData: (id, deadline) => deleteWishes(deps, id, deadline),
    },
    { deleteData: (id) => deps.searchSessions.deleteAll(id) },
    { deleteData: (id) => deps.bots.visitors.forget(id) },
  ]
}
