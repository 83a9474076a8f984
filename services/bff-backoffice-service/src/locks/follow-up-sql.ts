import { type Statement, sql } from '@melmastoon/chassis/db'
import {
  type EventId,
  idToUuid,
  type PropertyId,
  type ReservationId,
  type RoomId,
  type TenantId,
} from '@melmastoon/domain'
import type { RevokeReason } from '@melmastoon/upstream-contracts/lock'
import { announceIfDue } from './lock-action-sql.ts'

/** What an event of the reservation service means for the keys of a stay. */
export interface NewFollowUp {
  readonly tenantId: TenantId
  readonly eventId: EventId
  readonly kind: 'stay_ended' | 'room_changed'
  readonly propertyId: PropertyId
  readonly reservationId: ReservationId
  readonly reason: RevokeReason
  readonly roomIds: readonly RoomId[]
  readonly priorRoomIds: readonly RoomId[]
}

export function insertFollowUp(followUp: NewFollowUp, delayMs: number): Statement<unknown> {
  const { tenantId, eventId, kind, propertyId, reservationId, reason } = followUp
  const statement = sql`insert into lock_follow_up (tenant_id, id, kind, property_id, reservation_id, reason,
      room_ids, prior_room_ids, next_at)
    values (${idToUuid(tenantId)}::uuid, ${idToUuid(eventId)}::uuid, ${kind},
      ${idToUuid(propertyId)}::uuid, ${reservationId}, ${reason},
      ${[...followUp.roomIds]}::text[], ${[...followUp.priorRoomIds]}::text[],
      now() + ${delayMs}::int * interval '1 millisecond')
    on conflict do nothing`
  return announceIfDue(statement, delayMs)
}

export interface FollowUpRow {
  readonly tenant_id: string
  readonly id: string
  readonly kind: NewFollowUp['kind']
  readonly property_id: string
  readonly reservation_id: ReservationId
  readonly reason: RevokeReason
  readonly room_ids: readonly RoomId[]
  readonly prior_room_ids: readonly RoomId[]
  readonly tries: number
  readonly age_seconds: number
}

/** Of all tenants. */
export function selectDueFollowUps(
  limit: number,
): Statement<Pick<FollowUpRow, 'tenant_id' | 'id'>> {
  return sql<Pick<FollowUpRow, 'tenant_id' | 'id'>>`select tenant_id, id from lock_follow_up
    where next_at <= now() and lease_until <= now() order by next_at limit ${limit}`
}

export function claimFollowUp(id: string, leaseMs: number): Statement<FollowUpRow> {
  return sql<FollowUpRow>`update lock_follow_up set tries = tries + 1,
      lease_until = now() + ${leaseMs}::int * interval '1 millisecond'
    where id = ${id}::uuid and next_at <= now() and lease_until <= now()
    returning tenant_id, id, kind, property_id, reservation_id, reason, room_ids, prior_room_ids,
      tries, extract(epoch from now() - created_at)::float8 as age_seconds`
}

/** Null: done. */
export function postponeFollowUp(id: string, nextMs: number | null): Statement<unknown> {
  return sql`update lock_follow_up set lease_until = '-infinity',
      next_at = now() + ${nextMs}::int * interval '1 millisecond'
    where id = ${id}::uuid`
}

/** Those that are done, or were given up, long ago. */
export function pruneFollowUps(days: number, limit: number): Statement<{ pruned: number }> {
  return sql<{ pruned: number }>`with gone as (delete from lock_follow_up where ctid in (
      select ctid from lock_follow_up where created_at < now() - make_interval(days => ${days})
      limit ${limit}) returning 1)
    select count(*)::int as pruned from gone`
}
