import { type Statement, sql } from '@melmastoon/chassis/db'
import { type IsoDate, nightsOf, type StayDates } from '@melmastoon/domain'
import { channelSold } from './channel-sql.ts'

export interface AssignedRoomRow {
  allocation_id: string
  room_id: string
  room_type_id: string
}

export function selectAssignedRooms(
  tenant: string,
  allocations: readonly string[],
): Statement<AssignedRoomRow> {
  return sql<AssignedRoomRow>`
    select allocation_id, room_id, room_type_id from sandbox.inventory_room_stay
    where tenant_id = ${tenant}::uuid and allocation_id = any (${allocations}::uuid[])
      and state = 'assigned'
    order by allocation_id, room_id`
}

export interface RoomsInput {
  readonly tenant: string
  readonly allocation: string
  readonly rooms: readonly string[]
}

export interface TypeCountRow {
  room_type_id: string
  booked: number
  given: number
}

/** Per room type: the booked rooms, and how many of the given ones are of this type. */
export function countRoomTypes({ tenant, allocation, rooms }: RoomsInput): Statement<TypeCountRow> {
  return sql<TypeCountRow>`
    select i.room_type_id, i.rooms as booked, count(r.room_id)::int as given
    from sandbox.inventory_allocation_item i
    left join sandbox.inventory_room r on r.tenant_id = i.tenant_id
      and r.room_type_id = i.room_type_id and r.room_id = any (${rooms}::uuid[])
    where i.tenant_id = ${tenant}::uuid and i.allocation_id = ${allocation}::uuid
    group by i.room_type_id, i.rooms`
}

export function releaseOtherRooms({ tenant, allocation, rooms }: RoomsInput): Statement<unknown> {
  return sql`
    update sandbox.inventory_room_stay set state = 'released'
    where tenant_id = ${tenant}::uuid and allocation_id = ${allocation}::uuid
      and state = 'assigned' and room_id <> all (${rooms}::uuid[])`
}

/** Rooms that this stay had before. Fails on `ex_inventory_room_stay` when one is taken. */
export function reassignRooms({ tenant, allocation, rooms }: RoomsInput): Statement<unknown> {
  return sql`
    update sandbox.inventory_room_stay set state = 'assigned'
    where tenant_id = ${tenant}::uuid and allocation_id = ${allocation}::uuid
      and state = 'released' and room_id = any (${rooms}::uuid[])`
}

/**
 * In the order of their ids. A room that another stay has in some of these nights is skipped by
 * `ex_inventory_room_stay`; a concurrent assignment is waited for.
 */
export function insertRooms({ tenant, allocation, rooms }: RoomsInput): Statement<unknown> {
  return sql`
    insert into sandbox.inventory_room_stay (tenant_id, allocation_id, room_id, room_type_id, stay)
    select a.tenant_id, a.allocation_id, r.room_id, r.room_type_id,
      daterange(a.check_in, a.check_out, '[)')
    from sandbox.inventory_allocation a join sandbox.inventory_room r using (tenant_id)
    where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid
      and r.room_id = any (${rooms}::uuid[])
    order by r.room_id
    on conflict do nothing`
}

/** The rooms of the booked types that no other stay has in any of these nights. */
export function selectFreeRooms(tenant: string, allocation: string): Statement<FreeRoomRow> {
  return sql<FreeRoomRow>`
    select r.room_id from sandbox.inventory_allocation a
    join sandbox.inventory_allocation_item i using (tenant_id, allocation_id)
    join sandbox.inventory_room r using (tenant_id, room_type_id)
    where a.tenant_id = ${tenant}::uuid and a.allocation_id = ${allocation}::uuid
      and not exists (
        select from sandbox.inventory_room_stay s
        where s.tenant_id = a.tenant_id and s.room_id = r.room_id and s.state = 'assigned'
          and s.allocation_id <> a.allocation_id
          and s.stay && daterange(a.check_in, a.check_out, '[)'))
    order by r.room_id`
}

export interface FreeRoomRow {
  room_id: string
}

/** The guests have left: from this day on the rooms can be assigned again; the nights stay sold. */
export function endRoomStays(input: Omit<RoomsInput, 'rooms'>, day: IsoDate): Statement<unknown> {
  return sql`
    update sandbox.inventory_room_stay
    set stay = daterange(lower(stay), greatest(${day}::date, lower(stay)), '[)')
    where tenant_id = ${input.tenant}::uuid and allocation_id = ${input.allocation}::uuid
      and state = 'assigned' and upper(stay) > ${day}::date`
}

/** The guests have not arrived: their rooms can be assigned again; the nights stay sold. */
export function releaseRoomStays(input: Omit<RoomsInput, 'rooms'>): Statement<unknown> {
  return sql`
    update sandbox.inventory_room_stay set state = 'released'
    where tenant_id = ${input.tenant}::uuid and allocation_id = ${input.allocation}::uuid
      and state = 'assigned'`
}

export interface SoldNightRow {
  night: IsoDate
  rooms: number
  sold: number
}

export function selectSoldNights(
  tenant: string,
  property: string,
  span: StayDates,
): Statement<SoldNightRow> {
  return sql<SoldNightRow>`
    select w.night, sum(coalesce(n.capacity, t.capacity))::int as rooms,
      sum(coalesce(n.sold, ${channelSold('t', 'w.night')}))::int as sold
    from sandbox.inventory_room_type t cross join unnest(${nightsOf(span)}::date[]) as w (night)
    left join sandbox.inventory_night n on n.tenant_id = t.tenant_id
      and n.room_type_id = t.room_type_id and n.night = w.night
    where t.tenant_id = ${tenant}::uuid and t.property_id = ${property}::uuid
    group by w.night order by w.night`
}
