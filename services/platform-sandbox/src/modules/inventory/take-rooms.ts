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
import type { Keeper } from './allocation.ts'
import { HoldRejected } from './hold-rejected.ts'
import { checkStay, EXTENSIONS_MAX, STAY_NIGHTS_MAX } from './hold-terms.ts'
import {
  evaluateRooms,
  type RoomsAsked,
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
  readonly keptBy: Keeper
  readonly state: 'active' | 'committed'
  readonly holdSeconds: number
}

/**
 * What cannot succeed is rejected before a transaction is opened for it: of two hundred who want
 * the last room, most cost one look.
 * @throws HoldRejected
 */
export async function peekRooms(db: Queryable, request: RoomRequest): Promise<void> {
  const asked = askOf(request)
  const [row] = await db.query(evaluateRooms(asked))
  judge(row?.outcome, { asked, isReclaimable: row?.reclaimable ?? false })
}

/** @throws HoldRejected, which must end the transaction: part of the rooms may be counted. */
export async function takeRooms(tx: Tx, request: RoomRequest): Promise<Allocation> {
  const asked = askOf(request)
  const allocationId = newId('inv')
  const { keptBy, holdSeconds } = request
  const allocation = idToUuid(allocationId)
  const statement = takeRoomsSql({ ...asked, allocation, keptBy, holdSeconds })
  const [row] = await tx.query(statement).catch((error: unknown) => {
    throw isOverCapacity(error) ? raced('short', asked) : error
  })
  judge(row?.outcome, { asked, isReclaimable: row?.reclaimable ?? false })
  if (!row?.created_at || !row.expires_at) throw new TypeError('taken and not kept')
  const { tenantId, propertyId, reservationId, holder, state } = request
  return {
    allocationId,
    tenantId,
    propertyId,
    ...(reservationId !== undefined && { reservationId }),
    holder,
    state,
    stay: asked.stay,
    items: mergeItems(request.items),
    createdAt: toIsoDateTime(row.created_at),
    expiresAt: toIsoDateTime(row.expires_at),
    extensions: 0,
    extensionsLeft: state === 'active' ? EXTENSIONS_MAX : 0,
  }
}

/** Between the look and the taking somebody else was faster; only a race comes here. */
export function isOverCapacity(error: unknown): boolean {
  const cause = isProblem(error) ? error.cause : error
  return cause instanceof PgFailure && cause.constraint === 'ck_inventory_night_capacity'
}

interface Judged {
  readonly asked: RoomsAsked
  readonly isReclaimable: boolean
}

function judge(
  outcome: RoomsAssessment<'free' | 'taken' | 'raced'>['outcome'] | undefined,
  { asked, isReclaimable }: Judged,
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
      throw new HoldRejected({ reason: outcome, remedy, blockers: asked.blockers })
    }
    case 'raced':
      throw raced('busy', asked)
    case undefined:
      throw new TypeError('taking rooms has no outcome')
  }
}

function raced(reason: 'short' | 'busy', { blockers }: RoomsAsked): HoldRejected {
  return new HoldRejected({ reason, remedy: 'again', blockers })
}

function askOf(request: RoomRequest): RoomsAsked {
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

/** Each room type once, in ascending order: one statement cannot count a night up twice. */
export function mergeItems(items: readonly AllocationItem[]): AllocationItem[] {
  const rooms = new Map<AllocationItem['roomTypeId'], number>()
  for (const item of items)
    rooms.set(item.roomTypeId, (rooms.get(item.roomTypeId) ?? 0) + item.rooms)
  return [...rooms]
    .map(([roomTypeId, count]) => ({ roomTypeId, rooms: count }))
    .toSorted((a, b) => (a.roomTypeId < b.roomTypeId ? -1 : 1))
}
