import type { Clock } from '@melmastoon/chassis/clock'
import type { PerGuestQueue, RecentKeys } from '@melmastoon/chassis/concurrency'
import {
  type PropertyId,
  type SearchSessionId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import { detailViewed, type VIEW_SOURCES } from '../events/view-events.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import type {
  GuestSessionData,
  GuestSessions,
  RecentlyViewedEntry,
} from '../sessions/guest-session.ts'
import { withViewed } from '../sessions/session-lists.ts'
import { mayEmit, type ReportDeps, reportNow } from '../telemetry/report.ts'

const { subject, debounceSeconds = 0 } = detailViewed

export type ViewSource = (typeof VIEW_SOURCES)[number]

export interface View extends GuestActor {
  readonly propertyId: PropertyId
  /** Of the listing, never of the request. */
  readonly tenantId: TenantId
  /** `detail-link` when the request only shows that the page was opened. */
  readonly source: ViewSource
  readonly searchSessionId?: SearchSessionId | undefined
}

export type ViewDeps = ReportDeps & {
  readonly sessions: Pick<GuestSessions, 'update'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce' | 'isClaimed'>
  readonly guestQueue: Pick<PerGuestQueue, 'run' | 'runNowOrQueue' | 'isIdle'>
  readonly clock: Clock
}

/**
 * A guest views a hotel: stored in the session, and published with consent. The page and its beacon
 * both report it, because a CDN may serve the page; it counts once. It runs in the background.
 */
export function queueView(deps: ViewDeps, view: View): void {
  if (isRecorded(deps, view)) return
  const cause = view.cause()
  deps.guestQueue.run(view.session.id, () => recordView(deps, { ...view, cause: () => cause }))
}

interface RecordedView {
  readonly propertyId: PropertyId
  readonly declinesTelemetry: boolean
  readonly untilMs: number
}

/** How long it is known of a version of a session that its last view is recorded. */
const RECORDED_MS = 5_000
const recorded = new WeakMap<GuestSessionData, RecordedView>()

/** Whether this view is stored and published already, as for a page that is loaded again. */
function isRecorded(deps: ViewDeps, view: View): boolean {
  const { session, propertyId, source, client } = view
  if (source !== 'detail-link' || !deps.guestQueue.isIdle(session.id)) return false
  const { declinesTelemetry } = client
  const nowMs = deps.clock.nowMs()
  const known = recorded.get(session.data)
  const isSame = known?.propertyId === propertyId && known.declinesTelemetry === declinesTelemetry
  if (isSame && nowMs < known.untilMs) return true
  const endsMs = endOfView(session.data, propertyId)
  if (nowMs >= endsMs) return false
  if (mayEmit(deps, subject, view) && !deps.recentKeys.isClaimed(keyOf(view))) return false
  const untilMs = Math.min(endsMs, nowMs + RECORDED_MS)
  recorded.set(session.data, { propertyId, declinesTelemetry, untilMs })
  return true
}

/** Until then viewing this hotel again is the same view; 0 if it was not viewed last. */
function endOfView({ recentlyViewed }: GuestSessionData, propertyId: PropertyId): number {
  const last = recentlyViewed.at(-1)
  if (last?.propertyId !== propertyId) return 0
  return Date.parse(last.viewedAt) + debounceSeconds * 1_000
}

function keyOf({ session, propertyId }: Pick<View, 'session' | 'propertyId'>): string {
  return `view:${session.id}:${propertyId}`
}

/** For work that runs in the guest's queue already. */
export async function recordView(deps: ViewDeps, view: View): Promise<void> {
  const session = await storeView(deps, view)
  if (session === null || !mayEmit(deps, subject, { session, client: view.client })) return
  const { propertyId, tenantId, source, searchSessionId } = view
  if (!(await deps.recentKeys.claimOnce(keyOf(view), debounceSeconds))) return
  reportNow(deps, detailViewed, {
    ...view,
    session,
    payload: (viewedAt) => ({
      guestSessionId: session.id,
      ...(searchSessionId !== undefined && { searchSessionId }),
      propertyId,
      tenantId,
      source,
      viewedAt,
    }),
  })
}

/** Null when the session was cleared meanwhile; consent is that of the newest version. */
async function storeView(deps: ViewDeps, view: View) {
  const { session, propertyId, tenantId, source } = view
  const viewedAt = toIsoDateTime(view.cause().occurredAt)
  const change = (data: GuestSessionData) =>
    withView(data, { propertyId, tenantId, viewedAt, source })
  if (change(session.data) === session.data) return session
  return await deps.sessions.update(session, change)
}

/** Viewing the same hotel again is one view; the more specific source is stored. */
function withView(data: GuestSessionData, entry: RecentlyViewedEntry): GuestSessionData {
  const last = data.recentlyViewed.at(-1)
  const sinceMs = Date.parse(entry.viewedAt) - Date.parse(last?.viewedAt ?? '')
  const isSameView = last?.propertyId === entry.propertyId && sinceMs < debounceSeconds * 1_000
  return isSameView && entry.source === 'detail-link' ? data : withViewed(data, entry)
}
