import type { Database } from '@melmastoon/chassis/db'
import { idToUuid, problem, type RoomTypeId, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { CallOf } from '../../contract-handlers.ts'
import type { InventoryOperations } from './allocation.ts'
import { type AvailabilityRow, selectAvailability } from './availability-sql.ts'
import { checkStay, STAY_NIGHTS_MAX } from './hold-terms.ts'

type Availability = InventoryOperations['availability']
type RoomType = OutputOf<Availability>['roomTypes'][number]

export async function readAvailability(
  db: Database,
  { query }: InputOf<Availability>,
  { tenantId }: CallOf<Availability>,
): Promise<OutputOf<Availability>> {
  const { propertyId, from, to } = query
  const span = checkStay({ checkIn: from, checkOut: to }, STAY_NIGHTS_MAX)
  const statement = selectAvailability(idToUuid(tenantId), idToUuid(propertyId), span)
  const rows = await db.tenantQuery(tenantId, statement)
  const [first] = rows
  if (first === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return {
    propertyId,
    roomTypes: byRoomType(rows),
    capturedAt: toIsoDateTime(first.captured_at),
  }
}

function byRoomType(rows: readonly AvailabilityRow[]): RoomType[] {
  const types = new Map<RoomTypeId, RoomType['nights']>()
  for (const { room_type_id, night, capacity, held, sold } of rows) {
    const roomTypeId = uuidToId('rmt', room_type_id)
    const nights = types.get(roomTypeId) ?? []
    nights.push({ night, capacity, held, sold, available: capacity - held - sold })
    types.set(roomTypeId, nights)
  }
  return [...types].map(([roomTypeId, nights]) => ({ roomTypeId, nights }))
}
