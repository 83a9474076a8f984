import type { Clock } from '@melmastoon/chassis/clock'
import {
  addDays,
  type Id,
  nightsOf,
  type ProblemCode,
  type PropertyId,
  problem,
  type ReservationId,
  type RoomTypeId,
  type StayDates,
  type TenantId,
  todayIn,
} from '@melmastoon/domain'
import type { NewId } from './simulated-ids.ts'

const HOLD_MS = 600_000
const EXTENSIONS_MAX = 12
const SESSION_HOLDS_MAX = 5
const HORIZON_DAYS = 550
const ROUNDS_MAX = 4

export interface RoomType {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly roomTypeId: RoomTypeId
  readonly timeZone: string
  capacity: number
}

export interface RoomItem {
  readonly roomTypeId: RoomTypeId
  readonly rooms: number
}

export interface Allocation {
  readonly allocationId: Id<'inv'>
  readonly tenantId: TenantId
  readonly reservationId: ReservationId
  readonly holder: string
  readonly session: string | undefined
  readonly stay: StayDates
  readonly items: RoomItem[]
  readonly createdAtMs: number
  state: 'active' | 'committed' | 'released' | 'expired'
  expiresAtMs: number
  extensions: number
}

export type Wanted = Pick<
  Allocation,
  'tenantId' | 'reservationId' | 'holder' | 'session' | 'stay' | 'items'
> & { readonly propertyId: PropertyId; readonly state: 'active' | 'committed' }

/** The problem codes of the operation that takes rooms. */
export type RejectionCodes = Readonly<Record<'short' | 'busy' | 'session_full', ProblemCode>>

/** Rooms with a capacity per night. An expired hold counts until it is found to block somebody. */
export class SimulatedRooms {
  readonly allocations: Allocation[] = []
  readonly #types: RoomType[] = []
  readonly #clock: Clock
  readonly #newId: NewId
  /** Changes the reservation of an expired hold. */
  onExpired: (allocation: Allocation) => void = () => undefined

  constructor(clock: Clock, newId: NewId) {
    this.#clock = clock
    this.#newId = newId
  }

  addType(type: RoomType): void {
    this.#types.push(type)
  }

  take(wanted: Wanted, codes: RejectionCodes): Allocation {
    for (let round = 1; ; round += 1) {
      const outcome = this.#evaluate(wanted)
      if (outcome === 'free') return this.#place(wanted)
      const blockers = this.#expired().filter((other) => isBlocker(other, wanted))
      if (blockers.length === 0 || round === ROUNDS_MAX) throw problem(codes[outcome])
      blockers.forEach((blocker) => this.#expire(blocker))
    }
  }

  isExpired(allocation: Allocation): boolean {
    return allocation.state === 'active' && allocation.expiresAtMs <= this.#clock.nowMs()
  }

  /** Only an active hold can be sold; an expired one is expired now, and its caller retries. */
  commit(allocation: Allocation): 'sold' | 'expired' {
    if (this.isExpired(allocation)) this.#expire(allocation)
    if (allocation.state === 'expired') return 'expired'
    if (allocation.state !== 'active') throw problem('MELMASTOON.RESERVATION.ILLEGAL_TRANSITION')
    allocation.state = 'committed'
    return 'sold'
  }

  extend(allocation: Allocation): void {
    if (allocation.extensions >= EXTENSIONS_MAX) {
      throw problem('MELMASTOON.INVENTORY.EXTENSION_REFUSED')
    }
    allocation.extensions += 1
    allocation.expiresAtMs = this.#clock.nowMs() + HOLD_MS
  }

  release(allocation: Allocation): void {
    allocation.state = 'released'
  }

  /** The periodic job of the upstream. */
  sweep(): void {
    this.#expired().forEach((allocation) => this.#expire(allocation))
  }

  #expired(): Allocation[] {
    return this.allocations.filter((allocation) => this.isExpired(allocation))
  }

  #expire(allocation: Allocation): void {
    allocation.state = 'expired'
    this.onExpired(allocation)
  }

  #place(wanted: Wanted): Allocation {
    const createdAtMs = this.#clock.nowMs()
    const { tenantId, reservationId, holder, session, stay, items, state } = wanted
    const allocation = {
      tenantId,
      reservationId,
      holder,
      session,
      stay,
      items,
      state,
      allocationId: this.#newId('inv'),
      createdAtMs,
      expiresAtMs: createdAtMs + HOLD_MS,
      extensions: 0,
    }
    this.allocations.push(allocation)
    return allocation
  }

  #evaluate(wanted: Wanted): 'free' | keyof RejectionCodes {
    const types = wanted.items.map((item) => this.#typeOf(wanted, item))
    this.#checkDates(wanted.stay, types)
    if (this.#isBusy(wanted)) return 'busy'
    if (types.some((type, at) => this.#isShort(wanted, type, wanted.items[at]?.rooms ?? 0))) {
      return 'short'
    }
    return this.#isSessionFull(wanted) ? 'session_full' : 'free'
  }

  #typeOf({ tenantId, propertyId }: Wanted, { roomTypeId }: RoomItem): RoomType {
    const found = this.#types.find(
      (type) =>
        type.tenantId === tenantId &&
        type.propertyId === propertyId &&
        type.roomTypeId === roomTypeId,
    )
    if (found === undefined) throw problem('MELMASTOON.INVENTORY.ROOM_TYPE_NOT_FOUND')
    return found
  }

  #checkDates({ checkIn }: StayDates, types: readonly RoomType[]): void {
    for (const { timeZone } of types) {
      const today = todayIn(timeZone, this.#clock.now())
      const isOutside = checkIn < today || checkIn > addDays(today, HORIZON_DAYS)
      if (isOutside) throw problem('MELMASTOON.INVENTORY.STAY_INVALID')
    }
  }

  #isBusy({ tenantId, holder, reservationId, state }: Wanted): boolean {
    return this.allocations.some((other) => {
      if (other.tenantId !== tenantId) return false
      const isHolder = state === 'active' && other.holder === holder && other.state === 'active'
      return isHolder || (other.reservationId === reservationId && isCounted(other))
    })
  }

  #isShort({ tenantId, stay }: Wanted, { roomTypeId, capacity }: RoomType, rooms: number): boolean {
    return nightsOf(stay).some((night) => {
      const promised = this.allocations
        .filter((other) => other.tenantId === tenantId && isCounted(other))
        .filter((other) => other.stay.checkIn <= night && night < other.stay.checkOut)
        .flatMap((other) => other.items)
        .filter((item) => item.roomTypeId === roomTypeId)
        .reduce((sum, item) => sum + item.rooms, 0)
      return promised + rooms > capacity
    })
  }

  #isSessionFull({ tenantId, session }: Wanted): boolean {
    if (session === undefined) return false
    const own = this.allocations.filter(
      (other) =>
        other.tenantId === tenantId && other.session === session && other.state === 'active',
    )
    return own.length >= SESSION_HOLDS_MAX
  }
}

function isCounted({ state }: Allocation): boolean {
  return state === 'active' || state === 'committed'
}

function isBlocker(other: Allocation, wanted: Wanted): boolean {
  if (other.tenantId !== wanted.tenantId) return false
  if (other.holder === wanted.holder) return true
  if (wanted.session !== undefined && other.session === wanted.session) return true
  const overlaps =
    other.stay.checkIn < wanted.stay.checkOut && other.stay.checkOut > wanted.stay.checkIn
  const types = new Set(wanted.items.map((item) => item.roomTypeId))
  return overlaps && other.items.some((item) => types.has(item.roomTypeId))
}
