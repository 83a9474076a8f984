import { PgFailure, type Queryable, type Tx } from '@melmastoon/chassis/db'
import {
  type Id,
  type IsoDate,
  idToUuid,
  isProblem,
  type PropertyId,
  problem,
  type RoomId,
  type RoomTypeId,
  type StayDates,
  type TenantId,
  uuidToId,
} from '@melmastoon/domain'
import { lockAllocation, selectAllocation } from './allocation-sql.ts'
import {
  countRoomTypes,
  endRoomStays,
  insertRooms,
  type RoomsInput,
  reassignRooms,
  releaseOtherRooms,
  releaseRoomStays,
  type SoldNightRow,
  selectAssignedRooms,
  selectFreeRooms,
  selectSoldNights,
} from './rooms-of-stay-sql.ts'

export interface SoldRef {
  readonly tenantId: TenantId
  readonly allocationId: Id<'inv'>
}

export interface AssignedRoom {
  readonly roomId: RoomId
  readonly roomTypeId: RoomTypeId
}

/** Locks sold rooms, so that their assignment changes in one transaction at a time. */
export async function lockSold(tx: Tx, { tenantId, allocationId }: SoldRef): Promise<void> {
  const [tenant, allocation] = [idToUuid(tenantId), idToUuid(allocationId)] as const
  await tx.query(lockAllocation(tenant, allocation))
  const [row] = await tx.query(selectAllocation(tenant, allocation))
  if (row?.state !== 'committed') throw problem('MELMASTOON.INVENTORY.HOLD_SETTLED')
}

/** The assigned rooms of each of these allocations that has any. */
export async function assignedRooms(
  db: Queryable,
  tenantId: TenantId,
  allocationIds: readonly Id<'inv'>[],
): Promise<ReadonlyMap<Id<'inv'>, readonly AssignedRoom[]>> {
  const allocations = allocationIds.map((allocationId) => idToUuid(allocationId))
  const rows = await db.query(selectAssignedRooms(idToUuid(tenantId), allocations))
  const rooms = new Map<Id<'inv'>, AssignedRoom[]>()
  for (const row of rows) {
    const allocationId = uuidToId('inv', row.allocation_id)
    const own = rooms.get(allocationId) ?? []
    own.push({
      roomId: uuidToId('rmu', row.room_id),
      roomTypeId: uuidToId('rmt', row.room_type_id),
    })
    rooms.set(allocationId, own)
  }
  return rooms
}

/**
 * Replaces the assigned rooms by exactly these; requires `lockSold`.
 * Throws ROOM_NOT_FOUND when they are not the booked number of each type, ROOM_TAKEN.
 */
export async function setRooms(tx: Tx, ref: SoldRef, roomIds: readonly RoomId[]): Promise<void> {
  const rooms = roomIds.map((roomId) => idToUuid(roomId))
  const input = { ...inputOf(ref), rooms }
  await checkTypes(tx, input)
  await tx.query(releaseOtherRooms(input))
  await tx.query(reassignRooms(input)).catch((error: unknown) => {
    throw isRoomTaken(error) ? problem('MELMASTOON.INVENTORY.ROOM_TAKEN') : error
  })
  await tx.query(insertRooms(input))
  const assigned = await tx.query(selectAssignedRooms(input.tenant, [input.allocation]))
  if (assigned.length !== rooms.length) throw problem('MELMASTOON.INVENTORY.ROOM_TAKEN')
}

async function checkTypes(tx: Tx, input: RoomsInput): Promise<void> {
  const types = await tx.query(countRoomTypes(input))
  const given = types.reduce((sum, type) => sum + type.given, 0)
  const isExact = types.every((type) => type.given === type.booked)
  if (!isExact || given !== input.rooms.length) throw problem('MELMASTOON.INVENTORY.ROOM_NOT_FOUND')
}

function isRoomTaken(error: unknown): boolean {
  const cause = isProblem(error) ? error.cause : error
  return cause instanceof PgFailure && cause.constraint === 'ex_inventory_room_stay'
}

export async function freeRooms(db: Queryable, ref: SoldRef): Promise<RoomId[]> {
  const { tenant, allocation } = inputOf(ref)
  const rows = await db.query(selectFreeRooms(tenant, allocation))
  return rows.map((row) => uuidToId('rmu', row.room_id))
}

export async function endRooms(tx: Tx, ref: SoldRef, day: IsoDate): Promise<void> {
  await tx.query(endRoomStays(inputOf(ref), day))
}

export async function releaseRooms(tx: Tx, ref: SoldRef): Promise<void> {
  await tx.query(releaseRoomStays(inputOf(ref)))
}

export async function soldNights(
  db: Queryable,
  { tenantId, propertyId }: { readonly tenantId: TenantId; readonly propertyId: PropertyId },
  span: StayDates,
): Promise<SoldNightRow[]> {
  return await db.query(selectSoldNights(idToUuid(tenantId), idToUuid(propertyId), span))
}

function inputOf({ tenantId, allocationId }: SoldRef): Omit<RoomsInput, 'rooms'> {
  return { tenant: idToUuid(tenantId), allocation: idToUuid(allocationId) }
}
