import { hash } from 'node:crypto'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { BackgroundWork, RecentKeys } from '@melmastoon/chassis/concurrency'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { clickRecorded } from '../events/view-events.ts'
import { consents } from '../sessions/guest-actor.ts'
import { type ReportDeps, reportNow } from '../telemetry/report.ts'
import { UPSTREAM_MS, type Upstreams } from '../upstreams/create-upstreams.ts'
import type { View } from '../views/record-view.ts'

const FORWARDED_SECONDS = 300

export interface Click extends View {
  readonly position: number
  readonly pageViewId: string
  readonly trace: TraceContext
}

export type ClickDeps = ReportDeps & {
  readonly upstreams: Pick<Upstreams, 'search'>
  readonly background: Pick<BackgroundWork, 'run'>
  readonly recentKeys: Pick<RecentKeys, 'claimOnce'>
}

/**
 * A hotel was chosen from a search result. The search service is notified too, whatever the sample
 * rate, because clicks determine popularity. It receives the hotel and its position, not the guest.
 */
export function recordClick(deps: ClickDeps, click: Click): void {
  const { session, propertyId, tenantId, source, searchSessionId, position } = click
  reportNow(deps, clickRecorded, {
    ...click,
    payload: (clickedAt) => ({
      guestSessionId: session.id,
      ...(searchSessionId !== undefined && { searchSessionId }),
      propertyId,
      tenantId,
      source,
      position,
      clickedAt,
    }),
  })
  if (consents(click)) deps.background.run(`click ${click.pageViewId}`, () => forward(deps, click))
}

/** Limited per guest and hotel, so that no single guest makes a hotel popular. */
async function forward(deps: ClickDeps, click: Click): Promise<void> {
  const { session, propertyId, position, trace } = click
  if (!(await deps.recentKeys.claimOnce(`click:${session.id}:${propertyId}`, FORWARDED_SECONDS)))
    return
  using deadline = createDeadline(UPSTREAM_MS.search)
  const idempotencyKey = keyOf(click)
  const call = { deadline, trace, idempotencyKey }
  await deps.upstreams.search.click({ body: { propertyId, position } }, call)
}

/** The same for the same view of the same guest, without identifying the guest. */
function keyOf({ session, pageViewId }: Click): string {
  return `click-${hash('sha256', `${session.id} ${pageViewId}`)}`
}
