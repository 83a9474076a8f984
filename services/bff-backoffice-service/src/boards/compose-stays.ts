import { daysBetween, type IsoDate, microToMinor } from '@melmastoon/domain'
import type { FolioSummary } from '@melmastoon/upstream-contracts/billing'
import type { HousekeepingRoom } from '@melmastoon/upstream-contracts/housekeeping'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import type { BoardRights } from './board-rights.ts'
import type { RowAction, StayRow } from './board-rows.ts'

export interface StayParts {
  readonly stays: readonly StaffStay[]
  /** Undefined: the upstream did not respond, and its fields are missing. */
  readonly rooms: readonly HousekeepingRoom[] | undefined
  readonly folios: readonly FolioSummary[] | undefined
  readonly keys: readonly KeyCredential[] | undefined
  readonly date: IsoDate
  readonly checkOutTime: string
}

const READY = new Set(['clean', 'inspected'])
const BLOCKED = new Set(['out_of_order', 'out_of_service'])
const OCCUPIED = new Set(['occupied', 'due_out'])

/** Arrivals, departures and guests in house: the earliest first. */
export function composeStays(parts: StayParts, rights: BoardRights): StayRow[] {
  const rooms = parts.rooms && new Map(parts.rooms.map((room) => [room.roomId, room]))
  const folios = parts.folios && new Map(parts.folios.map((folio) => [folio.reservationId, folio]))
  const keys = parts.keys && Map.groupBy(parts.keys, (key) => key.reservationId)
  const compose = (stay: StaffStay): StayRow => {
    const ofStay = describeKeys(keys && (keys.get(stay.reservationId) ?? []))
    return {
      ...describeStay(stay, parts, rights),
      allowedActions: stayActions(stay, { ...ofStay, rights }),
      ...describeRooms(stay, rooms),
      ...(rights.sees('money') && describeFolio(folios?.get(stay.reservationId))),
      ...(rights.sees('keys') && ofStay),
    }
  }
  return parts.stays.map(compose).toSorted(byExpectedTime)
}

/** Without an expected time after those with one. */
function byExpectedTime(a: StayRow, b: StayRow): number {
  const timeOf = (row: StayRow) => row.eta ?? '99:99'
  return timeOf(a).localeCompare(timeOf(b)) || a.id.localeCompare(b.id)
}

function describeStay(
  stay: StaffStay,
  { date, checkOutTime }: StayParts,
  rights: BoardRights,
): Omit<StayRow, 'allowedActions' | 'rooms' | 'readiness'> {
  const { guest, party } = stay
  return {
    id: stay.reservationId,
    version: stay.version,
    updatedAt: stay.updatedAt,
    ...(rights.sees('code') && { code: stay.code }),
    status: stay.status,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    nights: stay.nights,
    nightsLeft: Math.max(0, daysBetween(date, stay.checkOut)),
    ...(rights.sees('guest') && {
      guest: {
        fullName: guest.fullName,
        locale: guest.locale,
        ...(guest.phone !== undefined && { phone: guest.phone }),
        ...(guest.specialRequests !== undefined && { requests: guest.specialRequests }),
      },
    }),
    party: { adults: party.adults, children: party.children },
    ...(guest.arrivalTime !== undefined && { eta: guest.arrivalTime }),
    checkOutTime,
    roomTypes: stay.items.map(({ roomTypeId, rooms }) => ({ roomTypeId, rooms })),
    flags: stay.flags,
  }
}

const IN_HOUSE = new Set(['checked_in', 'in_house'])

function stayActions(
  stay: StaffStay,
  { keyState, rights }: Pick<StayKeys, 'keyState'> & { readonly rights: BoardRights },
): RowAction[] {
  const isInHouse = IN_HOUSE.has(stay.status)
  const possible: readonly (readonly [RowAction, string, boolean])[] = [
    ['check_in', 'staff.reservation.check-in', stay.status === 'confirmed'],
    ['check_out', 'staff.reservation.check-out', isInHouse],
    ['issue_key', 'staff.lock.issue', isInHouse],
    ['revoke_key', 'staff.lock.revoke', isInHouse && keyState !== 'none'],
    ['post_charge', 'staff.folio.charge', isInHouse && stay.folioId !== undefined],
  ]
  return possible
    .filter(([, operation, isPossible]) => isPossible && rights.may(operation))
    .map(([action]) => action)
}

function describeRooms(
  { rooms: assigned, status }: StaffStay,
  known: ReadonlyMap<string, HousekeepingRoom> | undefined,
): Pick<StayRow, 'rooms' | 'readiness' | 'dnd'> {
  const isInHouse = IN_HOUSE.has(status)
  const states = assigned.map(({ roomId }) => known?.get(roomId))
  const rooms = assigned.map(({ roomId, number }, at) => {
    const state = states[at]
    return {
      roomId,
      number,
      ...(state !== undefined && { condition: state.condition }),
      ...(state !== undefined && !isInHouse && { ready: isReady(state) }),
    }
  })
  const isDnd = states.some((state) => state?.flags.includes('dnd'))
  const readiness = isInHouse ? 'occupied' : readinessOf(states)
  return { rooms, readiness, ...(known !== undefined && { dnd: isDnd }) }
}

function readinessOf(states: readonly (HousekeepingRoom | undefined)[]): StayRow['readiness'] {
  if (states.length === 0) return 'unassigned'
  const known = states.filter((state) => state !== undefined)
  if (known.length < states.length) return 'unknown'
  return known.every(isReady) ? 'ready' : 'not_ready'
}

function isReady({ condition, occupancy, flags }: HousekeepingRoom): boolean {
  const isBlocked = flags.some((flag) => BLOCKED.has(flag))
  return READY.has(condition) && !OCCUPIED.has(occupancy) && !isBlocked
}

function describeFolio(
  folio: FolioSummary | undefined,
): Pick<StayRow, 'folioId' | 'folioStatus' | 'balance'> {
  if (folio === undefined) return {}
  const { folioId, status, balance } = folio
  const { amountMinor: amount, currency } = microToMinor(balance.amountMicro, balance.currency)
  return { folioId, folioStatus: status, balance: { amount, currency } }
}

type StayKeys = Required<Pick<StayRow, 'keyState' | 'keyIds'>>

function describeKeys(keys: readonly KeyCredential[] | undefined): StayKeys {
  if (keys === undefined) return { keyState: 'unknown', keyIds: [] }
  const active = keys.filter((key) => key.state === 'active').map((key) => key.keyId)
  if (active.length > 0) return { keyState: 'active', keyIds: active }
  return { keyState: keys.length > 0 ? 'pending' : 'none', keyIds: [] }
}
