import { systemClock } from '@melmastoon/chassis/clock'
import type { Queryable } from '@melmastoon/chassis/db'
import {
  type IsoDate,
  idToUuid,
  isIsoDate,
  isStay,
  nightsBetween,
  type PropertyId,
  problem,
  type RoomId,
  type StayDates,
  type TenantId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { StaffStay, StayDetail } from '@melmastoon/upstream-contracts/reservation'
import { existingFolios } from '../billing/module.ts'
import { type AssignedRoom, assignedRooms, freeRooms, soldNights } from '../inventory/module.ts'
import { type FloorPlan, type HotelRoom, readFloorPlan } from '../property/module.ts'
import type { ReservationRef } from './read-reservation.ts'
import type { ReservationOperations } from './reservation.ts'
import type { ReservationHost } from './reservation-host.ts'
import { roomsNotReady } from './room-readiness.ts'
import { allocationOf, type StayRow, toStaffStay, toStayHistory } from './stay.ts'
import { selectMovements, selectStay, selectStayHistory, selectStaysOfDay } from './stay-sql.ts'

const NIGHTS_MAX = 366
const PAGE_MAX = 200

type ListForDay = ReservationOperations['listForDay']
type Occupancy = ReservationOperations['occupancy']

export async function listForDay(
  db: Queryable,
  { params, query }: InputOf<ListForDay>,
  tenantId: TenantId,
): Promise<OutputOf<ListForDay>> {
  const { view, date, limit = PAGE_MAX, cursor } = query
  const { propertyId } = params
  if (!isIsoDate(date)) throw problem('MELMASTOON.RESERVATION.DATES_INVALID')
  const plan = await readFloorPlan(db, { tenantId, propertyId })
  const { today } = plan
  const rows = await db.query(
    selectStaysOfDay({
      tenant: idToUuid(tenantId),
      property: idToUuid(propertyId),
      view,
      date,
      today,
      after: cursor === undefined ? null : idToUuid(cursor),
      rows: limit + 1,
    }),
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    propertyId,
    view,
    date,
    today,
    stays: await composeStays(db, { tenantId, rows: page, plan }),
    ...(rows.length > limit && last && { nextCursor: uuidToId('rsv', last.reservation_id) }),
  }
}

interface Composition {
  readonly tenantId: TenantId
  readonly rows: readonly StayRow[]
  readonly plan: FloorPlan
}

/** With the rooms of inventory, the numbers of property and the folios of billing. */
async function composeStays(
  db: Queryable,
  { tenantId, rows, plan }: Composition,
): Promise<StaffStay[]> {
  if (rows.length === 0) return []
  const assigned = await assignedRooms(db, tenantId, rows.map(allocationOf))
  const ids = rows.map(({ reservation_id }) => uuidToId('rsv', reservation_id))
  const folios = await existingFolios(db, tenantId, ids)
  const numbers = new Map(plan.rooms.map((room) => [room.roomId, room.number]))
  return rows.map((row) =>
    toStaffStay(row, {
      today: plan.today,
      rooms: numbered(assigned.get(allocationOf(row)) ?? [], numbers),
      folioId: folios.get(uuidToId('rsv', row.reservation_id)),
    }),
  )
}

function numbered(
  rooms: readonly AssignedRoom[],
  numbers: ReadonlyMap<RoomId, string>,
): StaffStay['rooms'] {
  return rooms.map((room) => ({ ...room, number: numbers.get(room.roomId) ?? '?' }))
}

export async function readStayRow(
  db: Queryable,
  { tenantId, reservationId }: ReservationRef,
): Promise<StayRow> {
  const [row] = await db.query(selectStay(idToUuid(tenantId), idToUuid(reservationId)))
  if (row === undefined) throw problem('MELMASTOON.RESERVATION.NOT_FOUND')
  return row
}

export async function getStay(db: Queryable, ref: ReservationRef): Promise<StayDetail> {
  const { tenantId, reservationId } = ref
  const row = await readStayRow(db, ref)
  const plan = await planOf(db, tenantId, row)
  const [stay] = await composeStays(db, { tenantId, rows: [row], plan })
  if (stay === undefined) throw new TypeError('a stay was read but not composed')
  const notes = await db.query(selectStayHistory(idToUuid(tenantId), idToUuid(reservationId)))
  return { ...stay, history: notes.toReversed().map(toStayHistory) }
}

export function planOf(db: Queryable, tenantId: TenantId, row: StayRow): Promise<FloorPlan> {
  return readFloorPlan(db, { tenantId, propertyId: uuidToId('ppt', row.property_id) })
}

export async function listAvailableRooms(
  host: ReservationHost,
  ref: ReservationRef,
): Promise<OutputOf<ReservationOperations['availableRooms']>> {
  const { tenantId } = ref
  const db = host.db.scoped(tenantId)
  const row = await readStayRow(db, ref)
  const plan = await planOf(db, tenantId, row)
  const allocationId = allocationOf(row)
  const free = new Set(await freeRooms(db, { tenantId, allocationId }))
  const rooms = plan.rooms.filter(({ roomId }) => free.has(roomId))
  const notReady = await roomsNotReady(host, db, { tenantId, row, plan, rooms: [...free] })
  return { rooms: rooms.map((room) => toAvailable(room, !notReady.has(room.roomId))) }
}

function toAvailable({ roomId, roomTypeId, number, floor }: HotelRoom, isReady: boolean) {
  return { roomId, roomTypeId, number, floor, isReady }
}

export async function readOccupancy(
  db: Queryable,
  { params, query }: InputOf<Occupancy>,
  tenantId: TenantId,
): Promise<OutputOf<Occupancy>> {
  const { propertyId } = params
  const span = checkSpan(query)
  await readFloorPlan(db, { tenantId, propertyId })
  const nights = await soldNights(db, { tenantId, propertyId }, span)
  const movements = await readMovements(db, { tenantId, propertyId }, span)
  return {
    propertyId,
    nights: nights.map(({ night, rooms, sold }) => {
      const { arrivals = 0, departures = 0 } = movements.get(night) ?? {}
      return { night, rooms, sold, arrivals, departures }
    }),
    capturedAt: toIsoDateTime(systemClock.now()),
  }
}

function checkSpan({ from, to }: { readonly from: IsoDate; readonly to: IsoDate }): StayDates {
  const span = { checkIn: from, checkOut: to }
  if (!isStay(from, to) || nightsBetween(span) > NIGHTS_MAX) {
    throw problem('MELMASTOON.RESERVATION.DATES_INVALID')
  }
  return span
}

async function readMovements(
  db: Queryable,
  { tenantId, propertyId }: { readonly tenantId: TenantId; readonly propertyId: PropertyId },
  span: StayDates,
) {
  const rows = await db.query(selectMovements(idToUuid(tenantId), idToUuid(propertyId), span))
  return new Map(rows.map((row) => [row.day, row]))
}
