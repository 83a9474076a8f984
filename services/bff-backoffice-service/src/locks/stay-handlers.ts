import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import type { PropertyId, ReservationId, RoomId, TenantId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import {
  reservationCancelled,
  reservationCheckedOut,
  reservationNoShow,
  reservationRoomAssigned,
} from '@melmastoon/platform-events'
import type { RevokeReason } from '@melmastoon/upstream-contracts/lock'
import { insertFollowUp, type NewFollowUp } from './follow-up-sql.ts'
import type { LockDeps } from './lock-deps.ts'
import { followUpMs } from './lock-schedule.ts'

interface Stay {
  readonly tenantId: string
  readonly propertyId: string
  readonly reservationId: string
}

interface MovedStay extends Stay {
  readonly roomIds: readonly string[]
  readonly priorRoomIds: readonly string[]
}

type StayDeps = Pick<LockDeps, 'lockControls'>

/** Departure, cancellation and no-show revoke keys; another room replaces them. */
export function stayHandlers(deps: StayDeps): EventHandler[] {
  const scope = 'tenant' as const
  const end = (reason: RevokeReason) => ({
    scope,
    handle: (tx: Tx, stay: Stay, event: EventMessage) =>
      follow(deps, tx, {
        ...idsOf(stay),
        eventId: event.envelope.eventId,
        kind: 'stay_ended',
        reason,
        roomIds: [],
        priorRoomIds: [],
      }),
  })
  return [
    on(reservationCheckedOut, end('checkout')),
    on(reservationCancelled, end('cancellation')),
    on(reservationNoShow, end('cancellation')),
    on(reservationRoomAssigned, {
      scope,
      handle: (tx, stay, event) => move(deps, tx, { stay, event }),
    }),
  ]
}

async function move(
  deps: StayDeps,
  tx: Tx,
  { stay, event }: { readonly stay: MovedStay; readonly event: EventMessage },
): Promise<void> {
  const left = stay.priorRoomIds.filter((room) => !stay.roomIds.includes(room))
  if (left.length === 0) return
  await follow(deps, tx, {
    ...idsOf(stay),
    eventId: event.envelope.eventId,
    kind: 'room_changed',
    reason: 'replaced',
    roomIds: stay.roomIds as RoomId[],
    priorRoomIds: left as RoomId[],
  })
}

async function follow({ lockControls }: StayDeps, tx: Tx, followUp: NewFollowUp): Promise<void> {
  await tx.query(insertFollowUp(followUp, followUpMs(lockControls)))
}

function idsOf({ tenantId, propertyId, reservationId }: Stay) {
  return {
    tenantId: tenantId as TenantId,
    propertyId: propertyId as PropertyId,
    reservationId: reservationId as ReservationId,
  }
}
