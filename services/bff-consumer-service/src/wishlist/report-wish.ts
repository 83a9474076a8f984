import type { OutboxEvent } from '@melmastoon/events'
import { wishlistAdded, wishlistRemoved } from '../events/wishlist-events.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import { buildReport, type ReportDeps } from '../telemetry/report.ts'
import type { WishVM } from './wish.ts'

/** None without consent. The text of the note is not published. */
export function reportAdded(
  deps: ReportDeps,
  actor: GuestActor,
  { note, size, addedAt, source, ...wish }: WishVM,
): OutboxEvent[] {
  const payload = () => ({
    ...wishFields(actor, wish),
    wishlistSize: size,
    source,
    hasNote: note !== undefined,
    addedAt,
  })
  return asList(buildReport(deps, wishlistAdded, { ...actor, payload }))
}

export function reportRemoved(
  deps: ReportDeps,
  actor: GuestActor,
  { size, ...wish }: Omit<WishVM, 'addedAt' | 'source' | 'note'>,
): OutboxEvent[] {
  return asList(
    buildReport(deps, wishlistRemoved, {
      ...actor,
      payload: (removedAt) => ({ ...wishFields(actor, wish), wishlistSize: size, removedAt }),
    }),
  )
}

function wishFields(
  { session }: GuestActor,
  { wishlistId, propertyId, tenantId }: Pick<WishVM, 'wishlistId' | 'propertyId' | 'tenantId'>,
) {
  return { guestSessionId: session.id, wishlistId, propertyId, tenantId }
}

function asList(event: OutboxEvent | null): OutboxEvent[] {
  return event === null ? [] : [event]
}
