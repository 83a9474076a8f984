import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { Allocation } from '@melmastoon/upstream-contracts/inventory'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import type { InventoryOperations } from './allocation.ts'
import { allocationEvents } from './allocation-events.ts'
import { checkRooms, takeRooms } from './take-rooms.ts'

type PlaceHold = InventoryOperations['placeHold']

/** @throws HoldRejected */
export async function placeHold(
  { db, config }: ModuleHost,
  { body }: InputOf<PlaceHold>,
  call: CallOf<PlaceHold>,
): Promise<Allocation> {
  const { tenantId, cause } = call
  const { holdSeconds } = config
  const request = { ...body, tenantId, heldBy: 'caller', state: 'active', holdSeconds } as const
  await checkRooms(db.scoped(tenantId), request)
  return await db.withTenant(tenantId, async (tx) => {
    const hold = await takeRooms(tx, request)
    await appendEvents(tx, allocationEvents('requested', hold, cause))
    const response = await call.finish(tx, hold)
    crashPoint('inventory.before_hold_commit')
    return response
  })
}
