import {
  type CurrencyCode,
  type Id,
  type IsoDate,
  type Locale,
  type RoomTypeId,
  toIsoDateTime,
  uuidToId,
} from '@melmastoon/domain'
import type {
  ReservationStatus,
  StaffStay,
  StayDetail,
  StayFlag,
} from '@melmastoon/upstream-contracts/reservation'

export interface StayRow {
  reservation_id: string
  code: string
  property_id: string
  status: ReservationStatus
  version: number
  check_in: IsoDate
  check_out: IsoDate
  nights: number
  items: { roomTypeId: RoomTypeId; rooms: number }[]
  allocation_id: string
  guest_locale: Locale
  adults: number
  children: number
  total_micro: string
  currency: CurrencyCode
  payment_method: string | null
  payment_intent_id: string | null
  full_name: string
  phone: string | null
  arrival_time: string | null
  special_requests: string | null
  updated_at: Date
}

export interface StayHistoryRow {
  version: number
  status: ReservationStatus
  at: Date
  operator_id: string | null
  causation_id: string | null
}

/** What other modules and the calendar contribute to a stay. */
export interface StaySurroundings {
  readonly today: IsoDate
  readonly rooms: StaffStay['rooms']
  readonly folioId: Id<'fol'> | undefined
}

export function toStaffStay(row: StayRow, around: StaySurroundings): StaffStay {
  const { rooms, folioId } = around
  return {
    reservationId: uuidToId('rsv', row.reservation_id),
    code: row.code,
    propertyId: uuidToId('ppt', row.property_id),
    status: row.status,
    version: row.version,
    updatedAt: toIsoDateTime(row.updated_at),
    checkIn: row.check_in,
    checkOut: row.check_out,
    nights: row.nights,
    items: row.items,
    rooms,
    guest: guestOf(row),
    party: { adults: row.adults, children: row.children },
    total: { amountMicro: row.total_micro, currency: row.currency },
    ...(row.payment_method !== null && { paymentMethod: row.payment_method }),
    ...(folioId !== undefined && { folioId }),
    flags: flagsOf(row, around),
  }
}

function guestOf(row: StayRow): StaffStay['guest'] {
  return {
    fullName: row.full_name,
    ...(row.phone !== null && { phone: row.phone }),
    locale: row.guest_locale,
    ...(row.arrival_time !== null && { arrivalTime: row.arrival_time }),
    ...(row.special_requests !== null && { specialRequests: row.special_requests }),
  }
}

function flagsOf(row: StayRow, { today, rooms }: StaySurroundings): StayFlag[] {
  const isExpected = row.status === 'confirmed'
  const isPresent = isInHouse(row.status)
  const flags: Readonly<Record<StayFlag, boolean>> = {
    room_unassigned: (isExpected || isPresent) && rooms.length < bookedRooms(row),
    overdue_arrival: isExpected && row.check_in < today,
    overdue_departure: isPresent && row.check_out < today,
    special_requests: row.special_requests !== null,
    prepaid: row.payment_intent_id !== null && row.payment_method !== 'cash_on_arrival',
  }
  return (Object.keys(flags) as StayFlag[]).filter((flag) => flags[flag])
}

export function isInHouse(status: ReservationStatus): boolean {
  return status === 'checked_in' || status === 'in_house'
}

export function bookedRooms({ items }: Pick<StayRow, 'items'>): number {
  return items.reduce((sum, { rooms }) => sum + rooms, 0)
}

export function toStayHistory(row: StayHistoryRow): StayDetail['history'][number] {
  return {
    version: row.version,
    status: row.status,
    at: toIsoDateTime(row.at),
    ...(row.operator_id !== null && { operatorId: uuidToId('opr', row.operator_id) }),
    ...(row.causation_id !== null && { causationId: row.causation_id }),
  }
}

export const allocationOf = (row: StayRow): Id<'inv'> => uuidToId('inv', row.allocation_id)
