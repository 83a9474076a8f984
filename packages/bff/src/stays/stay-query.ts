import {
  fieldError,
  type StayDates,
  throwIfInvalid,
  validateOccupancy,
  validateStayDates,
} from '@melmastoon/domain'
import { isoDate, Occupancy as UpstreamOccupancy } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

const CHILDREN_MAX = 20
const { adults, children, rooms, childrenAges } = UpstreamOccupancy.properties

/** The guests of a stay with all defaults applied: as stored, priced and handed off. */
export const Occupancy = Type.Object({
  adults,
  children,
  rooms,
  childrenAges: Type.Optional(
    Type.Array(childrenAges.items, { maxItems: CHILDREN_MAX, description: 'Years' }),
  ),
})

export type Occupancy = Static<typeof Occupancy>

/** A stay in a query string; ages are repeated, `childrenAges=4&childrenAges=9`. */
export const StayQuery = Type.Object({
  checkIn: Type.Optional(isoDate()),
  checkOut: Type.Optional(isoDate()),
  adults: Type.Optional(adults),
  children: Type.Optional(children),
  rooms: Type.Optional(rooms),
  childrenAges: Occupancy.properties.childrenAges,
})

export type StayQuery = Static<typeof StayQuery>

export interface RequestedStay {
  readonly stay: StayDates
  readonly occupancy: Occupancy
}

const AT = '/query'
const ADULTS_DEFAULT = 2
const WRONG_DATES = 'errors.search.stay_invalid'

/**
 * Undefined when the query has no dates.
 * @throws Problem VALIDATION_FAILED with a pointer to each invalid parameter.
 */
export function readStay(query: StayQuery, now: Date): RequestedStay | undefined {
  const { checkIn, checkOut } = query
  if (checkIn === undefined && checkOut === undefined) return undefined
  if (checkIn === undefined || checkOut === undefined) {
    const missing = checkIn === undefined ? 'checkIn' : 'checkOut'
    const error = fieldError(`${AT}/${missing}`, 'required', 'is required for a stay')
    throwIfInvalid([error], WRONG_DATES)
    return undefined
  }
  const stay = { checkIn, checkOut }
  const occupancy = readOccupancy(query)
  const guests = validateOccupancy(occupancy, AT)
  const errors = [...validateStayDates(stay, now, AT), ...guests]
  throwIfInvalid(errors, guests.length === 0 ? WRONG_DATES : undefined)
  return { stay, occupancy }
}

/** Two adults in one room by default. Ages are sorted: their order makes no difference. */
export function readOccupancy(query: StayQuery): Occupancy {
  const ages = query.childrenAges?.toSorted((a, b) => a - b) ?? []
  return {
    adults: query.adults ?? ADULTS_DEFAULT,
    children: query.children ?? 0,
    rooms: query.rooms ?? 1,
    ...(ages.length > 0 && { childrenAges: ages }),
  }
}
