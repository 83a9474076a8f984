import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { newId, type PropertyId } from '@melmastoon/domain'
import type { KeyedHash } from '@melmastoon/security'
import { pageViewRecorded } from '../events/view-events.ts'
import { type GuestActor, reloadSession } from '../sessions/guest-actor.ts'
import { reportNow } from '../telemetry/report.ts'
import { recordView, type ViewDeps } from '../views/record-view.ts'
import { boundedInstant, hostOf } from './beacon-values.ts'
import { findHotel, type KnownHotel } from './find-hotel.ts'
import type { PageViewBody } from './page-view.ts'
import { type ClickDeps, recordClick } from './record-click.ts'
import type { BeaconDeps } from './record-funnel-step.ts'

/** How long a page may repeat the beacon of one view. */
const REPEATED_SECONDS = 600

export interface PageView extends GuestActor {
  readonly body: PageViewBody
  readonly propertyId: PropertyId | undefined
  readonly trace: TraceContext
}

export type PageViewDeps = BeaconDeps & ClickDeps & ViewDeps & { readonly hashes: KeyedHash }

/** In the background: the sender of a beacon does not wait for the response. */
export function recordPageView(deps: PageViewDeps, view: PageView): void {
  const cause = view.cause()
  deps.guestQueue.run(view.session.id, () => record(deps, { ...view, cause: () => cause }))
}

async function record(deps: PageViewDeps, received: PageView): Promise<void> {
  if (!(await isFirst(deps, received))) return
  const hotel = await findHotel(deps, received.propertyId, received.trace)
  const view = await reloadSession(deps, received)
  if (view === null) return
  const pageViewId = view.body.pageViewId ?? newId('mpv')
  reportPage(deps, view, { pageViewId, hotel })
  if (hotel === null) return
  const { searchSessionId, position, source = 'detail-link' } = view.body
  const seen = { ...view, ...hotel, source, searchSessionId }
  if (position !== undefined) recordClick(deps, { ...seen, position, pageViewId })
  await recordView(deps, seen)
}

interface SeenPage {
  readonly pageViewId: string
  readonly hotel: KnownHotel | null
}

function reportPage(deps: PageViewDeps, view: PageView, { pageViewId, hotel }: SeenPage): void {
  const { session, body } = view
  reportNow(deps, pageViewRecorded, {
    ...view,
    payload: (now) => ({
      pageViewId,
      guestSessionId: session.id,
      ...describe(view, hotel),
      viewedAt: boundedInstant(body.viewedAt, now),
      userAgentHash: deps.hashes.hash(view.client.userAgent),
      fingerprintHash: session.data.cookieFingerprintHash,
    }),
  })
}

/** Without an id a repeated beacon cannot be recognized. */
async function isFirst(deps: PageViewDeps, { session, body }: PageView): Promise<boolean> {
  const { pageViewId } = body
  if (pageViewId === undefined) return true
  return await deps.recentKeys.claimOnce(`page:${session.id}:${pageViewId}`, REPEATED_SECONDS)
}

function describe({ body }: PageView, hotel: KnownHotel | null) {
  const { path, searchSessionId } = body
  const refererHost = hostOf(body.referer)
  return {
    path,
    ...hotel,
    ...(searchSessionId !== undefined && { searchSessionId }),
    ...(refererHost !== undefined && { refererHost }),
  }
}
