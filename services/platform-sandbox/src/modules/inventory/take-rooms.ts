import { PgFailure, type Tx } from '@melmastoon/chassis/db'
import {
  idToUuid,
  isProblem,
  newId,
  type PropertyId,
  problem,
  type ReservationId,
  type StayDates,
  type TenantId,
  toIsoDateTime,
} from '@melmastoon/domain'
import type { Allocation, AllocationItem } from '@melmastoon/upstream-contracts/inventory'
import type { Keeper } from './allocation.ts'
import { checkStay } from './check-stay.ts'
import { HoldRefused } from './hold-refused.ts'
import { EXTENSIONS_MAX, STAY_NIGHTS_MAX } from './hold-terms.ts'
import { mergeItems } from './merge-items.ts'
import type { Blockers } from './sql/expired-blockers.ts'
import { type TakenRow, takeRooms as takeRoomsSql } from './sql/take-rooms.ts'

export interface RoomRequest {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly items: readonly AllocationItem[]
  readonly stay: StayDates
  readonly holder: string
  readonly session?: string | undefined
  readonly reservationId?: ReservationId | undefined
  readonly keptBy: Keeper
  readonly state: 'active' | 'committed'
  readonly holdSeconds: number
}

/** @throws HoldRefused, which must end the transaction: part of the rooms may be counted. */
export async function takeRooms(tx: Tx, request: RoomRequest): Promise<Allocation> {
  const stay = checkStay(request.stay, STAY_NIGHTS_MAX)
  const items = mergeItems(request.items)
  const allocationId = newId('inv')
  const blockers = blockersOf({ ...request, items })
  const statement = takeRoomsSql({
    tenant: idToUuid(request.tenantId),
    allocation: idToUuid(allocationId),
    property: idToUuid(request.propertyId),
    reservation: request.reservationId === undefined ? null : idToUuid(request.reservationId),
    holder: request.holder,
    session: request.session ?? null,
    keptBy: request.keptBy,
    state: request.state,
    stay,
    items: items.map((item) => ({ roomType: idToUuid(item.roomTypeId), rooms: item.rooms })),
    holdSeconds: request.holdSeconds,
    blockers,
  })
  const [row] = await tx.query(statement).catch((error: unknown) => {
    throw isOverCapacity(error)
      ? new HoldRefused({ reason: 'short', remedy: 'again', blockers })
      : error
  })
  const { createdAt, expiresAt } = judge(row, blockers)
  const { tenantId, propertyId, reservationId, holder, state } = request
  return {
    allocationId,
    tenantId,
    propertyId,
    ...(reservationId !== undefined && { reservationId }),
    holder,
    state,
    stay,
    items,
    createdAt,
    expiresAt,
    extensions: 0,
    extensionsLeft: state === 'active' ? EXTENSIONS_MAX : 0,
  }
}

/** Between the look and the taking somebody else was faster; only a race comes here. */
export function isOverCapacity(error: unknown): boolean {
  const cause = isProblem(error) ? error.cause : error
  return cause instanceof PgFailure && cause.constraint === 'ck_inventory_night_capacity'
}

function judge(row: TakenRow | undefined, blockers: Blockers) {
  if (row === undefined) throw new TypeError('taking rooms has no outcome')
  switch (row.outcome) {
    case 'taken':
      if (row.created_at === null || row.expires_at === null) throw new TypeError('taken, not kept')
      return { createdAt: toIsoDateTime(row.created_at), expiresAt: toIsoDateTime(row.expires_at) }
    case 'unknown':
      throw problem('MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND')
    case 'past':
    case 'far':
      throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
    case 'busy':
    case 'short':
    case 'session_full':
      throw new HoldRefused({
        reason: row.outcome,
        remedy: row.reclaimable ? 'reclaim' : 'never',
        blockers,
      })
    case 'raced':
      throw new HoldRefused({ reason: 'busy', remedy: 'again', blockers })
  }
}

function blockersOf({ tenantId, items, stay, holder, session }: RoomRequest): Blockers {
  return {
    tenant: idToUuid(tenantId),
    roomTypes: items.map((item) => idToUuid(item.roomTypeId)),
    ...stay,
    holder,
    session: session ?? null,
    allocation: null,
  }
}
