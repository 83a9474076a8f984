import { rawSql, type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import type { IsoDate, StayDates } from '@melmastoon/domain'
import type { ReservationStatus, StayView } from '@melmastoon/upstream-contracts/reservation'
import { STAY_NIGHTS_MAX } from '../inventory/module.ts'
import type { StayHistoryRow, StayRow } from './stay.ts'

/** The columns of booking `r` with its guest `g`. Before its confirmation it has no guest. */
const stayColumns = rawSql(`r.reservation_id, r.code, r.property_id, r.status, r.version,
  r.check_in, r.check_out, r.check_out - r.check_in as nights, r.items, r.allocation_id,
  r.guest_locale, coalesce(r.adults, 1) as adults, coalesce(r.children, 0) as children,
  r.total_micro::text as total_micro, r.currency, r.payment_method, r.payment_intent_id,
  g.full_name, g.phone, g.arrival_time, g.special_requests,
  (select h.at from sandbox.reservation_history h
    where h.tenant_id = r.tenant_id and h.reservation_id = r.reservation_id
      and h.version = r.version) as updated_at`)

const stayTables = rawSql(`sandbox.reservation_booking r
  join sandbox.reservation_guest g using (tenant_id, reservation_id)`)

export interface DayInput {
  readonly tenant: string
  readonly property: string
  readonly view: StayView
  readonly date: IsoDate
  /** The current date at the hotel. */
  readonly today: IsoDate
  readonly after: string | null
  readonly rows: number
}

export function selectStaysOfDay(input: DayInput): Statement<StayRow> {
  return sql<StayRow>`
    select ${stayColumns} from ${stayTables}
    where r.tenant_id = ${input.tenant}::uuid and r.property_id = ${input.property}::uuid
      and (${conditionOf(input)})
      and (${input.after}::uuid is null or r.reservation_id > ${input.after}::uuid)
    order by r.reservation_id limit ${input.rows}`
}

/**
 * Guests who should have arrived or left before today are listed today. The longest stay bounds the
 * part of the index that is read.
 */
function conditionOf({ view, date, today }: DayInput): SqlFragment {
  const isToday = date === today
  switch (view) {
    case 'arrivals':
      return sql`(r.check_in = ${date}::date and r.status in ('confirmed', 'checked_in', 'in_house',
          'checked_out', 'no_show'))
        or (${isToday}::boolean and r.status = 'confirmed' and r.check_in < ${today}::date
          and r.check_in > ${today}::date - ${STAY_NIGHTS_MAX}::int and r.check_out > ${today}::date)`
    case 'departures':
      return sql`(r.check_out = ${date}::date and r.status in ('checked_in', 'in_house',
          'checked_out'))
        or (r.check_out = ${date}::date and r.status = 'confirmed' and r.check_out > ${today}::date)
        or (${isToday}::boolean and r.status in ('checked_in', 'in_house')
          and r.check_out < ${today}::date)`
    case 'in_house':
      return isToday
        ? sql`r.status in ('checked_in', 'in_house')`
        : sql`r.check_in <= ${date}::date and r.check_in > ${date}::date - ${STAY_NIGHTS_MAX}::int
            and r.check_out > ${date}::date
            and r.status in ('confirmed', 'checked_in', 'in_house', 'checked_out')`
  }
}

export function selectStay(tenant: string, reservation: string): Statement<StayRow> {
  return sql<StayRow>`
    select ${stayColumns} from ${stayTables}
    where r.tenant_id = ${tenant}::uuid and r.reservation_id = ${reservation}::uuid`
}

export function selectStayHistory(tenant: string, reservation: string): Statement<StayHistoryRow> {
  return sql<StayHistoryRow>`
    select version, status, at, operator_id, causation_id from sandbox.reservation_history
    where tenant_id = ${tenant}::uuid and reservation_id = ${reservation}::uuid
    order by version desc limit 1000`
}

/** The allocations of all guests who are in the hotel now. */
export function selectPresent(
  tenant: string,
  property: string,
): Statement<{ allocation_id: string }> {
  return sql<{ allocation_id: string }>`
    select allocation_id from sandbox.reservation_booking
    where tenant_id = ${tenant}::uuid and property_id = ${property}::uuid
      and status in ('checked_in', 'in_house')`
}

export interface StayChangeInput {
  readonly tenant: string
  readonly reservation: string
  readonly version: number
  readonly to: ReservationStatus
  readonly reasonCode: string
  readonly operator: string
  readonly causation: string | null
  readonly caller: string
  readonly key: string
}

/** Compare and set on the version. No row: it was changed since it was read. */
export function changeStay(input: StayChangeInput): Statement<{ at: Date }> {
  return sql<{ at: Date }>`
    with moved as (
      update sandbox.reservation_booking b set status = ${input.to}, version = b.version + 1
      where b.tenant_id = ${input.tenant}::uuid and b.reservation_id = ${input.reservation}::uuid
        and b.version = ${input.version}
      returning b.tenant_id, b.reservation_id, b.version, b.status)
    insert into sandbox.reservation_history (tenant_id, reservation_id, version, status,
      reason_code, operator_id, causation_id, caller, call_key)
    select tenant_id, reservation_id, version, status, ${input.reasonCode},
      ${input.operator}::uuid, ${input.causation}, ${input.caller}, ${input.key}
    from moved
    returning at`
}

const roomsOfBooking = rawSql(
  `(select sum((i.item ->> 'rooms')::int) from jsonb_array_elements(r.items) as i (item))`,
)

export interface MovementRow {
  day: IsoDate
  arrivals: number
  departures: number
}

/** Rooms taken and left per day; guests who cancelled or did not arrive do not count. */
export function selectMovements(
  tenant: string,
  property: string,
  { checkIn: from, checkOut: to }: StayDates,
): Statement<MovementRow> {
  const coming = sql`('confirmed', 'checked_in', 'in_house', 'checked_out')`
  return sql<MovementRow>`
    select day, sum(arrivals)::int as arrivals, sum(departures)::int as departures
    from (
      select r.check_in as day, ${roomsOfBooking} as arrivals, 0 as departures
      from sandbox.reservation_booking r
      where r.tenant_id = ${tenant}::uuid and r.property_id = ${property}::uuid
        and r.check_in >= ${from}::date and r.check_in < ${to}::date and r.status in ${coming}
      union all
      select r.check_out, 0, ${roomsOfBooking}
      from sandbox.reservation_booking r
      where r.tenant_id = ${tenant}::uuid and r.property_id = ${property}::uuid
        and r.check_out >= ${from}::date and r.check_out < ${to}::date and r.status in ${coming}
    ) moves
    group by day`
}
