import { isProblem, problem } from '@melmastoon/domain'

/** Its rooms moved since it was read: it expired, or somebody else confirmed or cancelled it. */
export function toIllegalMove(error: unknown): unknown {
  const isOfRooms = isProblem(error) && error.code.startsWith('MELMASTOON.INVENTORY.HOLD_')
  return isOfRooms ? problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION') : error
}
