import { systemClock } from '@melmastoon/chassis/clock'
import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { appendEvents } from '@melmastoon/chassis/outbox'
import {
  type IsoDate,
  type PropertyId,
  type RoomId,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import {
  reservationCheckedIn,
  reservationCheckedOut,
  reservationRoomAssigned,
  workOrderAssigned,
  workOrderRoomBlocked,
  workOrderStatusChanged,
  workOrderVerified,
} from '@melmastoon/platform-events'
import { causeOfEvent } from '../../staff/cause-of-event.ts'
import { applyBlock } from './apply-block.ts'
import type { HousekeepingHost } from './housekeeping-host.ts'
import { moveIn, moveOut, type RoomOfStay } from './occupy-room.ts'

/** Guests who come, move and go, and work orders that block rooms, change the state of rooms. */
export function roomHandlers(host: HousekeepingHost): readonly EventHandler[] {
  const scope = 'tenant'
  return [
    on(reservationCheckedIn, {
      scope,
      handle: async (tx, stay, event) => {
        await forEachRoom(host, tx, { stay, roomIds: stay.roomIds, event, change: moveIn })
      },
    }),
    on(reservationCheckedOut, {
      scope,
      handle: async (tx, stay, event) => {
        await forEachRoom(host, tx, { stay, roomIds: stay.roomIds, event, change: moveOut })
      },
    }),
    on(reservationRoomAssigned, {
      scope,
      async handle(tx, stay, event) {
        if (!IN_HOUSE.includes(stay.status)) return
        const left = stay.priorRoomIds.filter((roomId) => !stay.roomIds.includes(roomId))
        await forEachRoom(host, tx, { stay, roomIds: left, event, change: moveOut })
        await forEachRoom(host, tx, { stay, roomIds: stay.roomIds, event, change: moveIn })
      },
    }),
    on([workOrderRoomBlocked, workOrderAssigned, workOrderStatusChanged, workOrderVerified], {
      scope,
      async handle(tx, order, event) {
        const { tenantId, propertyId, roomId, blocksRoom } = order
        if (roomId === null || !blocksRoom) return
        const place = await placeOf(host, { tenantId, propertyId, roomId, event })
        if (place !== null) await appendEvents(tx, await applyBlock(host, tx, place))
      },
    }),
  ]
}

const IN_HOUSE: readonly string[] = ['checked_in', 'in_house']

interface StayRooms {
  readonly stay: {
    readonly tenantId: TenantId
    readonly propertyId: PropertyId
    readonly reservationId: RoomOfStay['reservationId']
  }
  readonly roomIds: readonly RoomId[]
  readonly event: EventMessage
  readonly change: typeof moveIn
}

/** In the order of their ids, so that two events lock rooms in the same order. */
async function forEachRoom(
  host: HousekeepingHost,
  tx: Tx,
  { stay, roomIds, event, change }: StayRooms,
): Promise<void> {
  const { tenantId, propertyId, reservationId } = stay
  for (const roomId of roomIds.toSorted()) {
    const place = await placeOf(host, { tenantId, propertyId, roomId, event })
    if (place !== null) await appendEvents(tx, await change(tx, { ...place, reservationId }))
  }
}

/** A room that the property service does not know has no state. */
async function placeOf(
  host: HousekeepingHost,
  ref: {
    readonly tenantId: TenantId
    readonly propertyId: PropertyId
    readonly roomId: RoomId
    readonly event: EventMessage
  },
) {
  const { tenantId, propertyId, event } = ref
  const room = await host.property.findRoom(ref)
  if (room === null) return null
  const { timeZone } = await host.property.readHotel({ tenantId, propertyId })
  const today: IsoDate = todayIn(timeZone, systemClock.now())
  const { eventId: causationId } = event.envelope
  const origin = { operatorId: null, causationId }
  return { room, today, source: { tenantId, origin, cause: causeOfEvent(host, event) } }
}
