import type { FieldError } from '@melmastoon/domain'
import type { Plan, RateCard, Restrictions, Room } from './rate-card.ts'
import type { Party, RoomCount, StayRequest } from './stay-request.ts'

export type RestrictedStay = Pick<StayRequest, 'arrival' | 'nights' | 'today'>

interface Check {
  readonly code:
    | 'closed_to_arrival'
    | 'closed_to_departure'
    | 'min_nights'
    | 'max_nights'
    | 'advance_days'
  readonly isBroken: (rules: Restrictions, stay: RestrictedStay) => boolean
  /** Refers to the body of a quote. */
  readonly pointer: string
  readonly detail: (rules: Restrictions) => string
}

/** In the order of the reasons that the contract lists. */
const CHECKS: readonly Check[] = [
  {
    code: 'closed_to_arrival',
    isBroken: ({ closedToArrival }, { arrival }) => closedToArrival.has(arrival),
    pointer: '/stay/checkIn',
    detail: () => 'no arrivals on this day',
  },
  {
    code: 'closed_to_departure',
    isBroken: ({ closedToDeparture }, { arrival, nights }) =>
      closedToDeparture.has(arrival + nights),
    pointer: '/stay/checkOut',
    detail: () => 'no departures on this day',
  },
  {
    code: 'min_nights',
    isBroken: ({ minNights }, { nights }) => nights < minNights,
    pointer: '/stay/checkOut',
    detail: ({ minNights }) => `at least ${minNights} nights`,
  },
  {
    code: 'max_nights',
    isBroken: ({ maxNights }, { nights }) => nights > maxNights,
    pointer: '/stay/checkOut',
    detail: ({ maxNights }) => `at most ${maxNights} nights`,
  },
  {
    code: 'advance_days',
    isBroken: ({ advanceDaysMin }, { arrival, today }) => arrival - today < advanceDaysMin,
    pointer: '/stay/checkIn',
    detail: ({ advanceDaysMin }) => `at least ${advanceDaysMin} days ahead`,
  },
]

/** Why a plan does not allow a stay; empty when it does. */
export function checkRestrictions({ restrictions }: Plan, stay: RestrictedStay): FieldError[] {
  return CHECKS.filter(({ isBroken }) => isBroken(restrictions, stay)).map(
    ({ pointer, code, detail }) => ({ pointer, code, detail: detail(restrictions) }),
  )
}

export function firstRestriction(
  { restrictions }: Plan,
  stay: RestrictedStay,
): Check['code'] | null {
  for (const { code, isBroken } of CHECKS) if (isBroken(restrictions, stay)) return code
  return null
}

/**
 * A child without an age may be too young: the hotel could turn the guests away on arrival.
 */
export function acceptsAges(
  { rules: { minGuestAge } }: Pick<RateCard, 'rules'>,
  { childAges, hasUnknownAges = false }: Party,
): boolean {
  return minGuestAge === 0 || !(hasUnknownAges || childAges.some((age) => age < minGuestAge))
}

/** A child may use an adult's bed, but not vice versa. */
export function fits(rooms: readonly RoomCount[], { party }: Pick<StayRequest, 'party'>): boolean {
  let adultBeds = 0
  let beds = 0
  for (const { room, quantity } of rooms) {
    adultBeds += room.adultsMax * quantity
    beds += (room.adultsMax + room.childrenMax) * quantity
  }
  return hasBeds(party, adultBeds, beds)
}

/** The same for rooms of one type, without a list of them. */
export function fitsInto(
  { adultsMax, childrenMax }: Room,
  quantity: number,
  party: Party,
): boolean {
  return hasBeds(party, adultsMax * quantity, (adultsMax + childrenMax) * quantity)
}

function hasBeds({ adults, childAges }: Party, adultBeds: number, beds: number): boolean {
  return adults <= adultBeds && adults + childAges.length <= beds
}
