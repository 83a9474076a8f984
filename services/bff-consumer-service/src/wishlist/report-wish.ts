import type { OutboxEvent } from '@melmastoon/events'
import type { ConsumerContext } from '../context.ts'
import { wishlistAdded, wishlistRemoved } from '../events/wishlist-events.ts'
import { buildReport, type Witnessed } from '../telemetry/report.ts'
import type { WishVM } from './wish.ts'

/** None without consent. What the guest wrote beside her wish stays with her. */
export function reportAdded(
  ctx: ConsumerContext,
  witnessed: Witnessed,
  { note, size, addedAt, source, ...wish }: WishVM,
): OutboxEvent[] {
  const payload = () => ({
    ...toldOf(witnessed, wish),
    wishlistSize: size,
    source,
    hasNote: note !== undefined,
    addedAt,
  })
  return listed(buildReport(ctx, wishlistAdded, { ...witnessed, payload }))
}

export function reportRemoved(
  ctx: ConsumerContext,
  witnessed: Witnessed,
  { size, ...wish }: Omit<WishVM, 'addedAt' | 'source' | 'note'>,
): OutboxEvent[] {
  return listed(
    buildReport(ctx, wishlistRemoved, {
      ...witnessed,
      payload: (removedAt) => ({ ...toldOf(witnessed, wish), wishlistSize: size, removedAt }),
    }),
  )
}

function toldOf(
  { session }: Witnessed,
  { wishlistId, propertyId, tenantId }: Pick<WishVM, 'wishlistId' | 'propertyId' | 'tenantId'>,
) {
  return { guestSessionId: session.id, wishlistId, propertyId, tenantId }
}

function listed(event: OutboxEvent | null): OutboxEvent[] {
  return event === null ? [] : [event]
}
