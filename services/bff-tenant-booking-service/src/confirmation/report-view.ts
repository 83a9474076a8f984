import type { CacheState } from '@melmastoon/chassis/cache'
import { confirmationViewed } from '../events/confirmation-events.ts'
import type { CACHE_STATES } from '../events/fields.ts'
import type { BookingActor } from '../sessions/booking-actor.ts'
import { type RecordOnceDeps, recordOnce } from '../telemetry/record.ts'
import type { FoundConfirmation } from './read-confirmation.ts'

const CACHE_STATE_OF: Readonly<Record<CacheState, (typeof CACHE_STATES)[number]>> = {
  hit: 'HIT',
  stale: 'STALE',
  miss: 'MISS',
  bypass: 'MISS',
}

/** Once per reservation and session in a day, which the event's definition sets. */
export function reportView(
  deps: RecordOnceDeps,
  { proof, shared, cacheState }: FoundConfirmation,
  actor: Pick<BookingActor, 'session' | 'client' | 'cause' | 'locale'>,
): void {
  const { session, locale } = actor
  const { tenantId, reservationId } = proof
  const confirmedMs = Date.parse(shared.stay.confirmedAt)
  recordOnce(deps, confirmationViewed, {
    ...actor,
    key: `${reservationId} ${session.id}`,
    payload: (viewedAt) => ({
      tenantId,
      reservationId,
      sessionId: session.id,
      viewedAt,
      elapsedFromConfirmMs: Math.max(0, Date.parse(viewedAt) - confirmedMs),
      deviceClass: session.data.deviceClass,
      locale,
      cache: CACHE_STATE_OF[cacheState],
    }),
  })
}
