import { type SqlFragment, type Statement, sql } from '@melmastoon/chassis/db'
import { nightsOf, type StayDates } from '@melmastoon/domain'
import type { AllocationOwner } from './allocation.ts'
import { channelSold } from './channel-sql.ts'
import { type Blockers, isExpiredBlocker } from './expiry-sql.ts'
import { HORIZON_DAYS, SESSION_HOLDS_MAX } from './hold-terms.ts'

export interface RequestedRooms {
  readonly tenant: string
  readonly property: string
  readonly reservation: string | null
  readonly holder: string
  readonly session: string | null
  /** `committed`: sold directly, when a hold expired before its confirmation. */
  readonly state: 'active' | 'committed'
  readonly stay: StayDates
  /** Each room type at most once. */
  readonly items: readonly { readonly roomType: string; readonly rooms: number }[]
  readonly blockers: Blockers
}

export interface RoomsAssessment<Outcome extends string> {
  outcome: Outcome | 'unknown' | 'past' | 'far' | 'busy' | 'short' | 'session_full'
  /** Expired holds block the request. */
  reclaimable: boolean
}

/** The result of taking these rooms now; locks and writes nothing. */
export function evaluateRooms(requested: RequestedRooms): Statement<RoomsAssessment<'free'>> {
  return sql<RoomsAssessment<'free'>>`
    with ${assessment(requested)}
    select v.outcome, v.outcome <> 'free' and exists (
        select from sandbox.inventory_allocation a where ${isExpiredBlocker(requested.blockers)})
        as reclaimable
    from result v`
}

/** The CTEs `requested`, `wanted`, `slot` and `result` of a statement. */
function assessment(requested: RequestedRooms): SqlFragment {
  return sql`requested as materialized (${requestedRooms(requested)}),
    wanted as materialized (${wantedNights(requested)}),
    slot as materialized (${freeSlot(requested)}),
    result as materialized (${resultOf(requested)})`
}

function requestedRooms({ tenant, property, items }: RequestedRooms): SqlFragment {
  return sql`select i.room_type_id, i.rooms, t.capacity, t.channel_from, t.channel_sold,
      (clock_timestamp() at time zone t.time_zone)::date as today
    from unnest(${items.map((item) => item.roomType)}::uuid[],
      ${items.map((item) => item.rooms)}::int[]) as i (room_type_id, rooms)
    join sandbox.inventory_room_type t on t.tenant_id = ${tenant}::uuid
      and t.room_type_id = i.room_type_id and t.property_id = ${property}::uuid`
}

/** Plain calendar days: `generate_series` of dates would convert through a time zone. */
function wantedNights({ tenant, stay }: RequestedRooms): SqlFragment {
  return sql`select a.room_type_id, w.night, a.rooms, coalesce(n.capacity, a.capacity) as capacity,
      coalesce(n.held + n.sold, ${channelSold('a', 'w.night')}) as promised,
      case when n.night is null then ${channelSold('a', 'w.night')} else 0 end as channel
    from requested a cross join unnest(${nightsOf(stay)}::date[]) as w (night)
    left join sandbox.inventory_night n on n.tenant_id = ${tenant}::uuid
      and n.room_type_id = a.room_type_id and n.night = w.night`
}

function freeSlot({ tenant, session }: RequestedRooms): SqlFragment {
  return sql`select s.slot from generate_series(1, ${SESSION_HOLDS_MAX}::int) as s (slot)
    where ${session}::text is not null and not exists (
      select from sandbox.inventory_allocation a
      where a.tenant_id = ${tenant}::uuid and a.session = ${session}::text
        and a.session_slot = s.slot and a.state = 'active')
    order by s.slot limit 1`
}

/**
 * Nights are past by the local date of the hotel: at 23:30 UTC it is tomorrow in Kabul (HOLD-14).
 */
function resultOf(input: RequestedRooms): SqlFragment {
  const { stay, items, session } = input
  return sql`select case
      when (select count(*) from requested) < ${items.length} then 'unknown'
      when ${stay.checkIn}::date < (select max(today) from requested) then 'past'
      when ${stay.checkIn}::date > (select min(today) from requested) + ${HORIZON_DAYS}::int then 'far'
      when ${isBusy(input)} then 'busy'
      when exists (select from wanted where promised + rooms > capacity) then 'short'
      when ${session}::text is not null and not exists (select from slot) then 'session_full'
      else 'free' end as outcome`
}

/** What the unique indexes would reject, as far as it is known in advance. */
function isBusy({ tenant, holder, reservation, state }: RequestedRooms): SqlFragment {
  return sql`(${state}::text = 'active' and exists (
      select from sandbox.inventory_allocation a
      where a.tenant_id = ${tenant}::uuid and a.holder = ${holder}::text and a.state = 'active')
    or exists (
      select from sandbox.inventory_allocation a
      where a.tenant_id = ${tenant}::uuid and a.reservation_id = ${reservation}::uuid
        and a.kept_by = 'reservation' and a.state in ('active', 'committed')))`
}

export interface TakeInput extends RequestedRooms {
  readonly allocation: string
  readonly heldBy: AllocationOwner
  readonly holdSeconds: number
}

export interface TakenRow extends RoomsAssessment<'taken' | 'raced'> {
  created_at: Date | null
  expires_at: Date | null
}

/**
 * Takes all rooms or none, in one statement. What the snapshot shows to be impossible is rejected
 * without writing or locking. Otherwise the allocation is inserted first and the nights after it,
 * in ascending order, which prevents deadlocks (HOLD-06). Each night is incremented on its latest
 * version, whatever the snapshot showed, and `ck_inventory_night_capacity` fails the statement when
 * the capacity is exceeded.
 */
export function takeRooms(input: TakeInput): Statement<TakenRow> {
  return sql<TakenRow>`
    with ${assessment(input)},
    placed as (${placeAllocation(input)}),
    items as (
      insert into sandbox.inventory_allocation_item (tenant_id, allocation_id, room_type_id, rooms)
      select ${input.tenant}::uuid, ${input.allocation}::uuid, a.room_type_id, a.rooms
      from requested a cross join placed),
    taken as (${countUp(input)})
    select case when p.created_at is not null then 'taken' when v.outcome = 'free' then 'raced'
        else v.outcome end as outcome,
      p.created_at is null and exists (
        select from sandbox.inventory_allocation a where ${isExpiredBlocker(input.blockers)})
        as reclaimable,
      p.created_at, p.expires_at
    from result v left join placed p on true`
}

function placeAllocation(input: TakeInput): SqlFragment {
  return sql`insert into sandbox.inventory_allocation (tenant_id, allocation_id, property_id,
      reservation_id, holder, session, session_slot, kept_by, state, check_in, check_out,
      expires_at, settled_at)
    select ${input.tenant}::uuid, ${input.allocation}::uuid, ${input.property}::uuid,
      ${input.reservation}::uuid, ${input.holder}::text, ${input.session}::text,
      (select slot from slot), ${input.heldBy}::text, ${input.state}::text,
      ${input.stay.checkIn}::date, ${input.stay.checkOut}::date,
      clock_timestamp() + ${input.holdSeconds}::int * interval '1 second',
      case when ${input.state}::text = 'active' then null else clock_timestamp() end
    from result where outcome = 'free'
    on conflict do nothing
    returning created_at, expires_at`
}

/** A new row begins with the rooms of other channels; an existing one contains them. */
function countUp({ tenant, state }: TakeInput): SqlFragment {
  return sql`insert into sandbox.inventory_night as n
      (tenant_id, room_type_id, night, capacity, channel, held, sold)
    select ${tenant}::uuid, w.room_type_id, w.night, w.capacity, w.channel,
      case when ${state}::text = 'active' then w.rooms else 0 end,
      case when ${state}::text = 'active' then 0 else w.rooms end + w.channel
    from wanted w cross join placed
    order by w.room_type_id, w.night
    on conflict (tenant_id, room_type_id, night) do update
      set held = n.held + excluded.held, sold = n.sold + excluded.sold - excluded.channel`
}
