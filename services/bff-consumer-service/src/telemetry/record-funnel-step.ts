import type { TraceContext } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import type { ConsumerContext } from '../context.ts'
import { funnelStepRecorded } from '../events/view-events.ts'
import { boundedInstant } from './bounded-instant.ts'
import { findHotel } from './find-hotel.ts'
import type { FunnelStepBody } from './funnel-step.ts'
import { mayEmit } from './may-emit.ts'
import { meetAgain } from './meet-again.ts'
import { reportNow, type Witnessed } from './report.ts'

const { subject, debounceSeconds = 0 } = funnelStepRecorded

export interface FunnelStep extends Witnessed {
  readonly told: FunnelStepBody
  readonly trace: TraceContext
}

/** Nobody waits for it: a beacon's sender is gone already. */
export function recordFunnelStep(ctx: ConsumerContext, step: FunnelStep): void {
  if (!mayEmit(ctx, subject, step)) return
  const cause = step.cause()
  ctx.guestQueue.run(step.session.id, () => record(ctx, { ...step, cause: () => cause }))
}

/** A list is scrolled up and down: a step of one search counts once in a while. */
async function record(ctx: ConsumerContext, asked: FunnelStep): Promise<void> {
  const { session, told, trace } = asked
  const { searchSessionId, metadata } = told
  const kind = [told.step, searchSessionId, told.propertyId].join(':')
  if (!(await ctx.recentKeys.claimOnce(`step:${session.id}:${kind}`, debounceSeconds))) return
  const hotel = await findHotel(ctx, told.propertyId, trace)
  const step = await meetAgain(ctx, asked)
  if (step === null) return
  reportNow(ctx, funnelStepRecorded, {
    ...step,
    payload: (now) => ({
      funnelEventId: newId('cfe'),
      guestSessionId: session.id,
      step: told.step,
      ...hotel,
      ...(searchSessionId !== undefined && { searchSessionId }),
      occurredAt: boundedInstant(told.occurredAt, now),
      ...(metadata !== undefined && { metadata }),
    }),
  })
}
