import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { pageViewRecorded } from '../events/view-events.ts'
import { recordView } from '../views/note-view.ts'
import { boundedInstant } from './bounded-instant.ts'
import { findHotel, type KnownHotel } from './find-hotel.ts'
import { hostOf } from './host-of.ts'
import { meetAgain } from './meet-again.ts'
import type { PageViewBody } from './page-view.ts'
import { recordClick } from './record-click.ts'
import { reportNow, type Witnessed } from './report.ts'

/** How long a page may go on sending the beacon of one view. */
const REPEATED_SECONDS = 600

export interface PageView extends Witnessed {
  readonly told: PageViewBody
  readonly propertyId: PropertyId | undefined
  readonly trace: TraceContext
}

/** Nobody waits for it: a beacon's sender is gone already. */
export function recordPageView(ctx: ConsumerContext, view: PageView): void {
  const cause = view.cause()
  ctx.guestQueue.run(view.session.id, () => record(ctx, { ...view, cause: () => cause }))
}

async function record(ctx: ConsumerContext, asked: PageView): Promise<void> {
  if (!(await isFirst(ctx, asked))) return
  const hotel = await findHotel(ctx, asked.propertyId, asked.trace)
  const view = await meetAgain(ctx, asked)
  if (view === null) return
  const pageViewId = view.told.pageViewId ?? newId('mpv')
  reportPage(ctx, view, { pageViewId, hotel })
  if (hotel === null) return
  const { searchSessionId, position, source = 'detail-link' } = view.told
  const seen = { ...view, ...hotel, source, searchSessionId }
  if (position !== undefined) recordClick(ctx, { ...seen, position, pageViewId })
  await recordView(ctx, seen)
}

interface SeenPage {
  readonly pageViewId: string
  readonly hotel: KnownHotel | null
}

function reportPage(ctx: ConsumerContext, view: PageView, { pageViewId, hotel }: SeenPage): void {
  const { session, told } = view
  reportNow(ctx, pageViewRecorded, {
    ...view,
    payload: (now) => ({
      pageViewId,
      guestSessionId: session.id,
      ...describe(view, hotel),
      viewedAt: boundedInstant(told.viewedAt, now),
      userAgentHash: ctx.hashes.hash(view.visit.userAgent),
      fingerprintHash: session.data.cookieFingerprintHash,
    }),
  })
}

/** What bears no id cannot be told from another view. */
async function isFirst(ctx: ConsumerContext, { session, told }: PageView): Promise<boolean> {
  const { pageViewId } = told
  if (pageViewId === undefined) return true
  return await ctx.recentKeys.claimOnce(`page:${session.id}:${pageViewId}`, REPEATED_SECONDS)
}

function describe({ told }: PageView, hotel: KnownHotel | null) {
  const { path, searchSessionId } = told
  const refererHost = hostOf(told.referer)
  return {
    path,
    ...hotel,
    ...(searchSessionId !== undefined && { searchSessionId }),
    ...(refererHost !== undefined && { refererHost }),
  }
}
