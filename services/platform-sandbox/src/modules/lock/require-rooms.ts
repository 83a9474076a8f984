import { type PropertyId, problem, type RoomId, type TenantId } from '@melmastoon/domain'
import type { LockHost } from './lock-host.ts'

interface WantedRooms {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly rooms: readonly RoomId[]
}

/** Every room of a property has a lock. */
export async function requireRooms(host: LockHost, wanted: WantedRooms): Promise<void> {
  const known = await host.property.roomIdsOf(wanted.tenantId, wanted.propertyId)
  const errors = wanted.rooms.flatMap((room, index) =>
    known.has(room)
      ? []
      : [{ pointer: `/rooms/${index}`, code: 'no_capable_device', detail: 'has no lock' }],
  )
  if (errors.length > 0) throw problem('MELMASTOON.LOCK.NO_CAPABLE_DEVICE', { errors })
}
