import { hash } from 'node:crypto'
import { createDeadline } from '@melmastoon/chassis/clock'
import type { TraceContext } from '@melmastoon/chassis/telemetry'
import type { ConsumerContext } from '../context.ts'
import { clickRecorded } from '../events/view-events.ts'
import { UPSTREAM_MS } from '../upstreams/create-upstreams.ts'
import type { View } from '../views/note-view.ts'
import { consents } from './may-emit.ts'
import { reportNow } from './report.ts'

const FORWARDED_SECONDS = 300

export interface Click extends View {
  readonly position: number
  readonly pageViewId: string
  readonly trace: TraceContext
}

/**
 * A hotel was chosen out of a result. Search hears of it, too, whatever the sampling: that is how a
 * hotel becomes popular. It learns the hotel and the place in the list, and not whose click it was.
 */
export function recordClick(ctx: ConsumerContext, click: Click): void {
  const { session, propertyId, tenantId, source, searchSessionId, position } = click
  reportNow(ctx, clickRecorded, {
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
  if (consents(click)) ctx.background.run(`click ${click.pageViewId}`, () => forward(ctx, click))
}

/** Once in a while for one guest, so that nobody makes a hotel popular alone. */
async function forward(ctx: ConsumerContext, click: Click): Promise<void> {
  const { session, propertyId, position, trace } = click
  if (!(await ctx.recentKeys.claimOnce(`click:${session.id}:${propertyId}`, FORWARDED_SECONDS)))
    return
  using deadline = createDeadline(UPSTREAM_MS.search)
  const idempotencyKey = keyOf(click)
  const call = { deadline, trace, idempotencyKey }
  await ctx.upstreams.search.click({ body: { propertyId, position } }, call)
}

/** The same for the same view of the same guest, and nothing that names her. */
function keyOf({ session, pageViewId }: Click): string {
  return `click-${hash('sha256', `${session.id} ${pageViewId}`)}`
}
