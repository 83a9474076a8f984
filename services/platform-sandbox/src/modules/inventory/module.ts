import type { Database, Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import type { IsoDate, RoomId, TenantId } from '@melmastoon/domain'
import { type Allocation, inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost, ServedModule } from '../../module.ts'
import type { InventoryOperations } from './allocation.ts'
import { allocationEvents } from './allocation-events.ts'
import { assignRoom } from './assign-room.ts'
import { changeCapacity } from './change-capacity.ts'
import { type HoldsExpiredHandler, reclaimHolds } from './expire-holds.ts'
import type { Blockers } from './expiry-sql.ts'
import { type RejectionCodes, toRejectionProblem } from './hold-rejected.ts'
import { placeHold } from './place-hold.ts'
import { readAvailability } from './read-availability.ts'
import { retryAfterReclaim } from './retry-after-reclaim.ts'
import { type RoomStay, readRoomStaysOn } from './room-stays.ts'
import {
  commitHold,
  endHold,
  extendHold,
  type HoldRef,
  lockHold,
  readHold,
  releaseHold,
} from './settle-hold.ts'
import { startSweeper } from './start-sweeper.ts'
import { checkRooms, type RoomRequest, takeRooms } from './take-rooms.ts'

export { allocationEvents } from './allocation-events.ts'
export { selectAllocationIds, selectRecentSales } from './allocation-sql.ts'
export { selectFreeNights } from './availability-sql.ts'
export { allocationFacts, inventoryDrift } from './drift-sql.ts'
export { type HoldsExpiredHandler, sweepHolds } from './expire-holds.ts'
export { type FreeNights, toFreeNights } from './free-nights.ts'
export { HoldRejected, type RejectionCodes } from './hold-rejected.ts'
export { HORIZON_DAYS, STAY_NIGHTS_MAX } from './hold-terms.ts'
export type { RoomStay } from './room-stays.ts'
export {
  type AssignedRoom,
  assignedRooms,
  endRooms,
  freeRooms,
  lockSold,
  releaseRooms,
  setRooms,
  soldNights,
} from './rooms-of-stay.ts'
export type { HoldRef } from './settle-hold.ts'

export type RoomsWanted = Omit<RoomRequest, 'heldBy' | 'holdSeconds'>

/** The operations that a reservation uses within its own transactions. */
export interface InventoryModule extends ServedModule<InventoryOperations> {
  /** Rejects like `takeRooms` what cannot succeed now, without writing anything. */
  checkRooms(request: RoomsWanted): Promise<void>
  takeRooms(tx: Tx, request: RoomsWanted): Promise<Allocation>
  commitHold(tx: Tx, ref: Omit<HoldRef, 'owner'>): Promise<Allocation>
  releaseHold(tx: Tx, ref: Omit<HoldRef, 'owner'>): Promise<Allocation>
  extendHold(tx: Tx, ref: Omit<HoldRef, 'owner'>): Promise<Allocation>
  /** Serializes with all other changes of an active hold. */
  lockHold(tx: Tx, ref: Omit<HoldRef, 'owner'>): Promise<Allocation>
  readHold(tx: Tx, ref: Omit<HoldRef, 'owner'>): Promise<Allocation>
  /** For simulations: the hold is overdue when the transaction commits. */
  endHold(tx: Tx, ref: Omit<HoldRef, 'owner'>): Promise<Allocation>
  /** The assigned stays of these rooms that begin, continue or end on this day. */
  roomStaysOn(
    tenantId: TenantId,
    roomIds: readonly RoomId[],
    day: IsoDate,
  ): Promise<readonly RoomStay[]>
  /** Expires overdue holds like the sweeper, and returns their number. */
  reclaim(tenantId: TenantId, blockers: Blockers): Promise<number>
  /**
   * Runs a transaction that may throw HoldRejected, with retries where useful; a final rejection
   * becomes a problem with one of the given codes.
   */
  withReclaim<T>(tenantId: TenantId, codes: RejectionCodes, work: () => Promise<T>): Promise<T>
}

const TAKE_CODES: RejectionCodes = {
  short: 'MELMASTOON.INVENTORY.INSUFFICIENT_AVAILABILITY',
  busy: 'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
  session_full: 'MELMASTOON.INVENTORY.HOLD_LIMIT_REACHED',
  expired: 'MELMASTOON.INVENTORY.HOLD_EXPIRED',
}

const CAPACITY_CODES: RejectionCodes = {
  ...TAKE_CODES,
  short: 'MELMASTOON.INVENTORY.BELOW_COMMITTED',
}

type Settling = CallOf<InventoryOperations['commitHold' | 'releaseHold' | 'extendHold']>

/** Room inventory: no room is sold twice or beyond the capacity. */
export function createInventoryModule(
  host: ModuleHost,
  { onHoldsExpired }: { readonly onHoldsExpired: HoldsExpiredHandler },
): InventoryModule {
  const { db, config } = host
  const expiry = { instance: config.instance, onHoldsExpired }
  const withReclaim = reclaimer(db, expiry)
  const settle = async (
    allocationId: Allocation['allocationId'],
    call: Settling,
    { move, event }: Settlement,
  ) =>
    await db.withTenant(call.tenantId, async (tx) => {
      const hold = await move(tx, { tenantId: call.tenantId, allocationId, owner: 'caller' })
      if (event) await appendEvents(tx, allocationEvents(event, hold, call.cause))
      return await call.finish(tx, hold)
    })
  const { holdSeconds } = config
  const ofReservation = (wanted: RoomsWanted): RoomRequest => {
    return { ...wanted, heldBy: 'reservation', holdSeconds }
  }
  const extend = (tx: Tx, ref: HoldRef) => extendHold(tx, ref, holdSeconds)
  return {
    contract: inventoryContract,
    withReclaim,
    checkRooms: (wanted) => checkRooms(db.scoped(wanted.tenantId), ofReservation(wanted)),
    takeRooms: (tx, wanted) => takeRooms(tx, ofReservation(wanted)),
    commitHold: (tx, ref) => commitHold(tx, { ...ref, owner: 'reservation' }),
    releaseHold: (tx, ref) => releaseHold(tx, { ...ref, owner: 'reservation' }),
    extendHold: (tx, ref) => extend(tx, { ...ref, owner: 'reservation' }),
    lockHold: (tx, ref) => lockHold(tx, { ...ref, owner: 'reservation' }),
    readHold,
    endHold: (tx, ref) => endHold(tx, { ...ref, owner: 'reservation' }),
    roomStaysOn: (tenantId, roomIds, day) =>
      readRoomStaysOn(db.scoped(tenantId), { tenantId, roomIds, day }),
    reclaim: (tenantId, blockers) => reclaimHolds(db.scoped(tenantId), blockers, expiry),
    ...(config.jobSchedules === 'on' && { start: () => startSweeper(host, expiry) }),
    handlers: {
      availability: (input, call) => readAvailability(db, input, call),
      placeHold: (input, call) =>
        withReclaim(call.tenantId, TAKE_CODES, () => placeHold(host, input, call)),
      getHold: ({ params }, { tenantId }) => readHold(db.scoped(tenantId), { tenantId, ...params }),
      extendHold: ({ params }, call) => settle(params.allocationId, call, { move: extend }),
      commitHold: ({ params }, call) =>
        settle(params.allocationId, call, { move: commitHold, event: 'committed' }),
      releaseHold: ({ params }, call) =>
        settle(params.allocationId, call, { move: releaseHold, event: 'released' }),
      changeCapacity: (input, call) =>
        withReclaim(call.tenantId, CAPACITY_CODES, () =>
          db.withTenant(call.tenantId, async (tx) =>
            call.finish(tx, await changeCapacity(tx, input, call)),
          ),
        ),
      assignRoom: ({ params, body }, call) =>
        db.withTenant(call.tenantId, async (tx) => {
          const { tenantId } = call
          return call.finish(tx, await assignRoom(tx, { tenantId, ...params, ...body }))
        }),
    },
  }
}

interface Settlement {
  readonly move: (tx: Tx, ref: HoldRef) => Promise<Allocation>
  readonly event?: 'committed' | 'released'
}

function reclaimer(
  db: Database,
  expiry: { instance: string; onHoldsExpired: HoldsExpiredHandler },
): InventoryModule['withReclaim'] {
  return async (tenantId, codes, work) => {
    const reclaim = (blockers: Blockers) => reclaimHolds(db.scoped(tenantId), blockers, expiry)
    try {
      return await retryAfterReclaim(reclaim, work)
    } catch (error) {
      throw toRejectionProblem(error, codes)
    }
  }
}
