import { PgFailure, type Queryable, type Tx } from '@melmastoon/chassis/db'
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
import type { AllocationOwner } from './allocation.ts'
import { HoldRejected } from './hold-rejected.ts'
import { checkStay, EXTENSIONS_MAX, STAY_NIGHTS_MAX } from './hold-terms.ts'
import {
  evaluateRooms,
  type RequestedRooms,
  type RoomsAssessment,
  takeRooms as takeRoomsSql,
} from './take-rooms-sql.ts'

export interface RoomRequest {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly items: readonly AllocationItem[]
  readonly stay: StayDates
  readonly holder: string
  readonly session?: string | undefined
  readonly reservationId?: ReservationId | undefined
  readonly heldBy: AllocationOwner
  readonly state: 'active' | 'committed'
  readonly holdSeconds: number
}

/**
 * Rejects what cannot succeed before a transaction is opened: of two hundred requests for the last
 * room, most cost one query.
 * @throws HoldRejected
 */
export async function checkRooms(db: Queryable, request: RoomRequest): Promise<void> {
  const requested = toRequest(request)
  const [row] = await db.query(evaluateRooms(requested))
  evaluate(row?.outcome, { requested, isReclaimable: row?.reclaimable ?? false })
}

/** @throws HoldRejected, which must roll back the transaction: part of the rooms may be counted. */
export async function takeRooms(tx: Tx, request: RoomRequest): Promise<Allocation> {
  const requested = toRequest(request)
  const allocationId = newId('inv')
  const { heldBy, holdSeconds } = request
  const allocation = idToUuid(allocationId)
  const statement = takeRoomsSql({ ...requested, allocation, heldBy, holdSeconds })
  const [row] = await tx.query(statement).catch((error: unknown) => {
    throw isOverCapacity(error) ? raced('short', requested) : error
  })
  evaluate(row?.outcome, { requested, isReclaimable: row?.reclaimable ?? false })
  if (!row?.created_at || !row.expires_at) throw new TypeError('rooms were taken but not stored')
  const { tenantId, propertyId, reservationId, holder, state } = request
  return {
    allocationId,
    tenantId,
    propertyId,
    ...(reservationId !== undefined && { reservationId }),
    holder,
    state,
    stay: requested.stay,
    items: mergeItems(request.items),
    createdAt: toIsoDateTime(row.created_at),
    expiresAt: toIsoDateTime(row.expires_at),
    extensions: 0,
    extensionsLeft: state === 'active' ? EXTENSIONS_MAX : 0,
  }
}

/** A concurrent transaction took the rooms between the check and the update. */
export function isOverCapacity(error: unknown): boolean {
  const cause = isProblem(error) ? error.cause : error
  return cause instanceof PgFailure && cause.constraint === 'ck_inventory_night_capacity'
}

interface Evaluated {
  readonly requested: RequestedRooms
  readonly isReclaimable: boolean
}

function evaluate(
  outcome: RoomsAssessment<'free' | 'taken' | 'raced'>['outcome'] | undefined,
  { requested, isReclaimable }: Evaluated,
): void {
  switch (outcome) {
    case 'free':
    case 'taken':
      return
    case 'unknown':
      throw problem('MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND')
    case 'past':
    case 'far':
      throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
    case 'busy':
    case 'short':
    case 'session_full': {
      const remedy = isReclaimable ? 'reclaim' : 'never'
      throw new HoldRejected({ reason: outcome, remedy, blockers: requested.blockers })
    }
    case 'raced':
      throw raced('busy', requested)
    case undefined:
      throw new TypeError('taking rooms has no outcome')
  }
}

function raced(reason: 'short' | 'busy', { blockers }: RequestedRooms): HoldRejected {
  return new HoldRejected({ reason, remedy: 'again', blockers })
}

function toRequest(request: RoomRequest): RequestedRooms {
  const { tenantId, propertyId, reservationId, holder, session = null, state } = request
  const stay = checkStay(request.stay, STAY_NIGHTS_MAX)
  const tenant = idToUuid(tenantId)
  const items = mergeItems(request.items).map(({ roomTypeId, rooms }) => {
    return { roomType: idToUuid(roomTypeId), rooms }
  })
  const roomTypes = items.map(({ roomType }) => roomType)
  return {
    tenant,
    property: idToUuid(propertyId),
    reservation: reservationId === undefined ? null : idToUuid(reservationId),
    holder,
    session,
    state,
    stay,
    items,
    blockers: { tenant, roomTypes, ...stay, holder, session, allocation: null },
  }
}

/** Each room type once, in ascending order: one statement cannot increment a night twice. */
export function mergeItems(items: readonly AllocationItem[]): AllocationItem[] {
  const rooms = new Map<AllocationItem['roomTypeId'], number>()
  for (const item of items)
    rooms.set(item.roomTypeId, (rooms.get(item.roomTypeId) ?? 0) + item.rooms)
  return [...rooms]
    .map(([roomTypeId, count]) => ({ roomTypeId, rooms: count }))
    .toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1))
}
