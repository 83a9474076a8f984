import type { FieldError } from '@melmastoon/domain'
import type { Plan } from './rate-card.ts'
import type { RoomCount, StayRequest } from './stay-request.ts'

/** Why a plan does not allow a stay; empty when it does. Pointers refer to the body of a quote. */
export function checkRestrictions(
  { restrictions: rules }: Plan,
  stayRequest: StayRequest,
): FieldError[] {
  const { arrival, nights, today } = stayRequest
  const broken: FieldError[] = []
  const addError = (pointer: string, code: string, detail: string) =>
    broken.push({ pointer, code, detail })
  if (nights < rules.minNights) {
    addError('/stay/checkOut', 'min_nights', `at least ${rules.minNights} nights`)
  }
  if (nights > rules.maxNights) {
    addError('/stay/checkOut', 'max_nights', `at most ${rules.maxNights} nights`)
  }
  if (arrival - today < rules.advanceDaysMin) {
    addError('/stay/checkIn', 'advance_days', `at least ${rules.advanceDaysMin} days ahead`)
  }
  if (rules.closedToArrival.has(arrival)) {
    addError('/stay/checkIn', 'closed_to_arrival', 'no arrivals on this day')
  }
  if (rules.closedToDeparture.has(arrival + nights)) {
    addError('/stay/checkOut', 'closed_to_departure', 'no departures on this day')
  }
  return broken
}

/** A child may use an adult's bed, but not vice versa. */
export function fits(rooms: readonly RoomCount[], { party }: StayRequest): boolean {
  let adultBeds = 0
  let beds = 0
  for (const { room, quantity } of rooms) {
    adultBeds += room.adultsMax * quantity
    beds += (room.adultsMax + room.childrenMax) * quantity
  }
  const guests = party.adults + party.childAges.length
  return party.adults <= adultBeds && guests <= beds
}
