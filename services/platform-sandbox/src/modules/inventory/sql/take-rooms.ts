import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import type { Keeper } from '../allocation.ts'
import { isExpiredBlocker } from './expired-blockers.ts'
import { judgement, type RoomsAsked, type RoomsVerdict } from './judge-rooms.ts'

export interface TakeInput extends RoomsAsked {
  readonly allocation: string
  readonly keptBy: Keeper
  readonly holdSeconds: number
}

export interface TakenRow extends RoomsVerdict<'taken' | 'raced'> {
  created_at: Date | null
  expires_at: Date | null
}

/**
 * Takes all rooms or none, in one statement. What the snapshot already shows to be impossible is
 * refused without writing or locking anything. Otherwise the allocation comes first and the nights
 * after it, in ascending order: two takers never wait for each other in a circle (HOLD-06). Each
 * night is counted up on its latest version, whatever the snapshot showed, and
 * `ck_inventory_night_capacity` fails the statement where that is too many.
 */
export function takeRooms(input: TakeInput): Statement<TakenRow> {
  return sql<TakenRow>`
    with ${judgement(input)},
    placed as (${placeAllocation(input)}),
    items as (
      insert into sandbox.inventory_allocation_item (tenant_id, allocation_id, room_type_id, rooms)
      select ${input.tenant}::uuid, ${input.allocation}::uuid, a.room_type_id, a.rooms
      from asked a cross join placed),
    taken as (${countUp(input)})
    select case when p.created_at is not null then 'taken' when v.outcome = 'free' then 'raced'
        else v.outcome end as outcome,
      p.created_at is null and exists (
        select from sandbox.inventory_allocation a where ${isExpiredBlocker(input.blockers)})
        as reclaimable,
      p.created_at, p.expires_at
    from verdict v left join placed p on true`
}

function placeAllocation(input: TakeInput): SqlFragment {
  return sql`insert into sandbox.inventory_allocation (tenant_id, allocation_id, property_id,
      reservation_id, holder, session, session_slot, kept_by, state, check_in, check_out,
      expires_at, settled_at)
    select ${input.tenant}::uuid, ${input.allocation}::uuid, ${input.property}::uuid,
      ${input.reservation}::uuid, ${input.holder}::text, ${input.session}::text,
      (select slot from slot), ${input.keptBy}::text, ${input.state}::text,
      ${input.stay.checkIn}::date, ${input.stay.checkOut}::date,
      clock_timestamp() + ${input.holdSeconds}::int * interval '1 second',
      case when ${input.state}::text = 'active' then null else clock_timestamp() end
    from verdict where outcome = 'free'
    on conflict do nothing
    returning created_at, expires_at`
}

function countUp({ tenant, state }: TakeInput): SqlFragment {
  return sql`insert into sandbox.inventory_night as n
      (tenant_id, room_type_id, night, capacity, held, sold)
    select ${tenant}::uuid, w.room_type_id, w.night, w.capacity,
      case when ${state}::text = 'active' then w.rooms else 0 end,
      case when ${state}::text = 'active' then 0 else w.rooms end
    from wanted w cross join placed
    order by w.room_type_id, w.night
    on conflict (tenant_id, room_type_id, night) do update
      set held = n.held + excluded.held, sold = n.sold + excluded.sold`
}
