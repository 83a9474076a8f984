import {
  type PropertyId,
  type SearchSessionId,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { detailViewed, type VIEW_SOURCES } from '../events/view-events.ts'
import type { GuestSessionData, RecentlyViewedEntry } from '../sessions/guest-session.ts'
import { withViewed } from '../sessions/with-viewed.ts'
import { mayEmit } from '../telemetry/may-emit.ts'
import { reportNow, type Witnessed } from '../telemetry/report.ts'

const { subject, debounceSeconds = 0 } = detailViewed

export type ViewSource = (typeof VIEW_SOURCES)[number]

export interface View extends Witnessed {
  readonly propertyId: PropertyId
  /** Of the listing, never of the request. */
  readonly tenantId: TenantId
  /** What only says that the page was opened is `detail-link`. */
  readonly source: ViewSource
  readonly searchSessionId?: SearchSessionId | undefined
}

/**
 * A guest looks at a hotel: remembered for her, and told with her consent. The page and its beacon
 * both say so, because a CDN may answer in our place; it counts once. Nobody waits for it.
 */
export function noteView(ctx: ConsumerContext, view: View): void {
  const cause = view.cause()
  ctx.guestQueue.run(view.session.id, () => recordView(ctx, { ...view, cause: () => cause }))
}

/** For work that has the guest's lane already. */
export async function recordView(ctx: ConsumerContext, view: View): Promise<void> {
  const session = await rememberView(ctx, view)
  if (session === null || !mayEmit(ctx, subject, { session, visit: view.visit })) return
  const { propertyId, tenantId, source, searchSessionId } = view
  if (!(await ctx.recentKeys.claimOnce(`view:${session.id}:${propertyId}`, debounceSeconds))) return
  reportNow(ctx, detailViewed, {
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

/** Null when the guest has left in the meantime; her consent is that of this moment. */
async function rememberView(ctx: ConsumerContext, view: View) {
  const { session, propertyId, tenantId, source } = view
  const viewedAt = toIsoDateTime(view.cause().occurredAt)
  const change = (data: GuestSessionData) =>
    withLook(data, { propertyId, tenantId, viewedAt, source })
  if (change(session.data) === session.data) return session
  return await ctx.sessions.update(session, change)
}

/** Looking at the same hotel still is one look; whoever knows best where from is believed. */
function withLook(data: GuestSessionData, entry: RecentlyViewedEntry): GuestSessionData {
  const last = data.recentlyViewed.at(-1)
  const lookedMs = Date.parse(entry.viewedAt) - Date.parse(last?.viewedAt ?? '')
  const isSameLook = last?.propertyId === entry.propertyId && lookedMs < debounceSeconds * 1_000
  return isSameLook && entry.source === 'detail-link' ? data : withViewed(data, entry)
}
