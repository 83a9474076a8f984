import type { RecentKeys } from '@melmastoon/chassis/concurrency'
import type { ErrorReporter, TraceContext } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import { id, instant } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { CLIENT_STEPS, FunnelMetadata, funnelStepRecorded } from '../events/view-events.ts'
import type { ListingDeps } from '../listings/read-listings.ts'
import { type GuestActor, reloadSession } from '../sessions/guest-actor.ts'
import type { GuestSessions } from '../sessions/guest-session.ts'
import { mayEmit, type ReportDeps, reportNow } from '../telemetry/report.ts'
import { boundedInstant } from './beacon-values.ts'
import { findHotel } from './find-hotel.ts'

const { subject, debounceSeconds = 0 } = funnelStepRecorded

/** `ConversionFunnelEvent` of the domain model (§2.6), as far as a client knows it. */
export const FunnelStepBody = Type.Object({
  step: Type.Enum([...CLIENT_STEPS]),
  propertyId: Type.Optional(id('ppt')),
  searchSessionId: Type.Optional(id('srs')),
  occurredAt: Type.Optional(instant()),
  metadata: Type.Optional(FunnelMetadata),
})

export interface FunnelStep extends GuestActor {
  readonly body: Static<typeof FunnelStepBody>
  readonly trace: TraceContext
}

export type BeaconDeps = ReportDeps &
  ListingDeps & {
    readonly errors: ErrorReporter
    readonly sessions: Pick<GuestSessions, 'reload'>
    readonly recentKeys: Pick<RecentKeys, 'claimOnce'>
  }

/** In the background: the sender of a beacon does not wait for the response. */
export function recordFunnelStep(deps: BeaconDeps, step: FunnelStep): void {
  if (!mayEmit(deps, subject, step)) return
  const cause = step.cause()
  deps.guestQueue.run(step.session.id, () => record(deps, { ...step, cause: () => cause }))
}

/** A list is scrolled up and down: a step of one search counts once within the debounce time. */
async function record(deps: BeaconDeps, received: FunnelStep): Promise<void> {
  const { session, body, trace } = received
  const { searchSessionId, metadata } = body
  const kind = [body.step, searchSessionId, body.propertyId].join(':')
  if (!(await deps.recentKeys.claimOnce(`step:${session.id}:${kind}`, debounceSeconds))) return
  const hotel = await findHotel(deps, body.propertyId, trace)
  const step = await reloadSession(deps, received)
  if (step === null) return
  reportNow(deps, funnelStepRecorded, {
    ...step,
    payload: (now) => ({
      funnelEventId: newId('cfe'),
      guestSessionId: session.id,
      step: body.step,
      ...hotel,
      ...(searchSessionId !== undefined && { searchSessionId }),
      occurredAt: boundedInstant(body.occurredAt, now),
      ...(metadata !== undefined && { metadata }),
    }),
  })
}
