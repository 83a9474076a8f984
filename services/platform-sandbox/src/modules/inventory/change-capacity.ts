import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem, type RoomTypeId, type TenantId, uuidToId } from '@melmastoon/domain'
import { capacityChanged, platformRegistry } from '@melmastoon/platform-events'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { CallOf } from '../../contract-handlers.ts'
import type { InventoryOperations } from './allocation.ts'
import { setCapacity } from './availability-sql.ts'
import { HoldRejected } from './hold-rejected.ts'
import { checkStay } from './hold-terms.ts'
import { isOverCapacity } from './take-rooms.ts'

type ChangeCapacity = InventoryOperations['changeCapacity']

const SPAN_NIGHTS_MAX = 366

/** @throws HoldRejected when more rooms are held or sold; expired holds do not count. */
export async function changeCapacity(
  tx: Tx,
  { params, body }: InputOf<ChangeCapacity>,
  { tenantId, cause }: CallOf<ChangeCapacity>,
): Promise<OutputOf<ChangeCapacity>> {
  const { roomTypeId } = params
  const { from, to, capacity } = body
  const span = checkStay({ checkIn: from, checkOut: to }, SPAN_NIGHTS_MAX)
  const where = { tenant: idToUuid(tenantId), roomType: idToUuid(roomTypeId), capacity }
  const [row] = await tx.query(setCapacity(where, span)).catch((error: unknown) => {
    throw isOverCapacity(error) ? belowPromised(tenantId, roomTypeId, span) : error
  })
  if (row === undefined) throw problem('MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND')
  const propertyId = uuidToId('ppt', row.property_id)
  const payload = { tenantId, propertyId, roomTypeId, from, to, capacity }
  await appendEvents(tx, [platformRegistry.build(capacityChanged.subject, payload, cause)])
  return { roomTypeId, from, to, capacity }
}

function belowPromised(
  tenantId: TenantId,
  roomTypeId: RoomTypeId,
  span: ReturnType<typeof checkStay>,
): HoldRejected {
  return new HoldRejected({
    reason: 'short',
    remedy: 'reclaim',
    blockers: {
      tenant: idToUuid(tenantId),
      roomTypes: [idToUuid(roomTypeId)],
      ...span,
      holder: null,
      session: null,
      allocation: null,
    },
  })
}
