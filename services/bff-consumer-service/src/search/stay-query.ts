import { problem } from '@melmastoon/domain'
import { isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { fault, findInDates, findInOccupancy } from './find-contradictions.ts'
import { Guests } from './search-fields.ts'
import type { SearchQuery } from './search-query.ts'

const { adults, children, rooms, childrenAges } = Guests.properties

/** A stay in a query string; ages are repeated, `childrenAges=4&childrenAges=9`. */
export const StayQuery = Type.Object({
  checkIn: Type.Optional(isoDate()),
  checkOut: Type.Optional(isoDate()),
  adults: Type.Optional(adults),
  children: Type.Optional(children),
  rooms: Type.Optional(rooms),
  childrenAges,
})

export type StayQuery = Static<typeof StayQuery>

export interface AskedStay {
  readonly stay: SearchQuery['dates']
  readonly occupancy: SearchQuery['occupancy']
}

const AT = '/query'
const ADULTS_DEFAULT = 2

/**
 * Undefined when no stay is asked for. Ages in any order are the same party.
 * @throws Problem VALIDATION_FAILED with a pointer to each parameter that contradicts another.
 */
export function readStay(query: StayQuery, now: Date): AskedStay | undefined {
  const { checkIn, checkOut } = query
  if (checkIn === undefined && checkOut === undefined) return undefined
  if (checkIn === undefined || checkOut === undefined) {
    const missing = checkIn === undefined ? 'checkIn' : 'checkOut'
    throw refusal([fault(`${AT}/${missing}`, 'required', 'is needed for a stay')])
  }
  const stay = { checkIn, checkOut }
  const occupancy = partyOf(query)
  const errors = [...findInDates(stay, now, AT), ...findInOccupancy(occupancy, AT)]
  if (errors.length > 0) throw refusal(errors)
  return { stay, occupancy }
}

/** Two in one room, unless somebody says otherwise. */
export function partyOf(query: StayQuery): SearchQuery['occupancy'] {
  const ages = query.childrenAges?.toSorted((a, b) => a - b) ?? []
  return {
    adults: query.adults ?? ADULTS_DEFAULT,
    children: query.children ?? 0,
    rooms: query.rooms ?? 1,
    ...(ages.length > 0 && { childrenAges: ages }),
  }
}

function refusal(errors: ReturnType<typeof fault>[]) {
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
