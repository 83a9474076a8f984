import type { FolioSummary } from '@melmastoon/upstream-contracts/billing'
import type { HousekeepingRoom } from '@melmastoon/upstream-contracts/housekeeping'
import type { WorkOrder } from '@melmastoon/upstream-contracts/maintenance'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import type { BoardRights } from './board-rights.ts'
import type { TodayRow } from './board-rows.ts'

/** Undefined: the upstream did not respond, and the tile is missing. */
export interface TodayParts {
  readonly arrivals: readonly StaffStay[] | undefined
  readonly departures: readonly StaffStay[] | undefined
  readonly inHouse: readonly StaffStay[] | undefined
  readonly rooms: readonly HousekeepingRoom[] | undefined
  readonly workOrders: readonly WorkOrder[] | undefined
  readonly folios: readonly FolioSummary[] | undefined
}

export type Counts = Readonly<Record<string, number>>

/** One tile per board that the operator may read: what there is to do today. */
export function composeToday(parts: TodayParts, rights: BoardRights): TodayRow[] {
  const { departures, folios } = parts
  const tiles: readonly (readonly [TodayRow['id'], string, Counts | undefined])[] = [
    ['arrivals', 'staff.board.arrivals', parts.arrivals && countArrivals(parts.arrivals)],
    ['departures', 'staff.board.departures', departures && countDepartures(departures, folios)],
    ['in_house', 'staff.board.in-house', parts.inHouse && { guests: parts.inHouse.length }],
    ['housekeeping', 'staff.board.housekeeping', parts.rooms && countRooms(parts.rooms)],
    ['maintenance', 'staff.board.maintenance', parts.workOrders && countOrders(parts.workOrders)],
  ]
  return tiles.flatMap(([id, operation, counts]) =>
    counts === undefined || !rights.may(operation) ? [] : [{ id, counts }],
  )
}

const matching = <T>(items: readonly T[], test: (item: T) => boolean) => items.filter(test).length

export function countArrivals(stays: readonly StaffStay[]): Counts {
  return {
    expected: matching(stays, (stay) => stay.status === 'confirmed'),
    arrived: matching(stays, (stay) => stay.status !== 'confirmed'),
    late: matching(stays, (stay) => stay.flags.includes('overdue_arrival')),
    unassigned: matching(stays, (stay) => stay.flags.includes('room_unassigned')),
  }
}

export function countDepartures(
  departures: readonly StaffStay[],
  folios?: TodayParts['folios'],
): Counts {
  return {
    expected: matching(departures, (stay) => stay.status !== 'checked_out'),
    departed: matching(departures, (stay) => stay.status === 'checked_out'),
    overdue: matching(departures, (stay) => stay.flags.includes('overdue_departure')),
    ...(folios !== undefined && {
      balancesDue: matching(folios, ({ balance }) => BigInt(balance.amountMicro) > 0n),
    }),
  }
}

export function countRooms(rooms: readonly HousekeepingRoom[]): Counts {
  const ofCondition = (condition: HousekeepingRoom['condition']) =>
    matching(rooms, (room) => room.condition === condition)
  return {
    clean: ofCondition('clean'),
    dirty: ofCondition('dirty'),
    cleaning: ofCondition('cleaning'),
    inspected: ofCondition('inspected'),
    outOfOrder: matching(rooms, (room) => room.flags.includes('out_of_order')),
    discrepancies: matching(rooms, (room) => room.discrepancy),
  }
}

export function countOrders(orders: readonly WorkOrder[]): Counts {
  return {
    open: matching(orders, (order) => order.status !== 'resolved'),
    critical: matching(orders, (order) => order.severity === 'critical'),
    toVerify: matching(orders, (order) => order.status === 'resolved'),
    blockingRooms: matching(orders, (order) => order.blocksRoom),
  }
}
