import type { FieldError } from '@melmastoon/domain'
import type { Plan } from './rate-card.ts'
import type { RoomCount, StayAsk } from './stay-ask.ts'

/** Why a plan does not admit a stay; empty when it does. Pointers are those of a quote's body. */
export function checkRestrictions({ restrictions: rules }: Plan, ask: StayAsk): FieldError[] {
  const { arrival, nights, today } = ask
  const broken: FieldError[] = []
  const refuse = (pointer: string, code: string, detail: string) =>
    broken.push({ pointer, code, detail })
  if (nights < rules.minNights) {
    refuse('/stay/checkOut', 'min_nights', `at least ${rules.minNights} nights`)
  }
  if (nights > rules.maxNights) {
    refuse('/stay/checkOut', 'max_nights', `at most ${rules.maxNights} nights`)
  }
  if (arrival - today < rules.advanceDaysMin) {
    refuse('/stay/checkIn', 'advance_days', `at least ${rules.advanceDaysMin} days ahead`)
  }
  if (rules.closedToArrival.has(arrival)) {
    refuse('/stay/checkIn', 'closed_to_arrival', 'no arrivals on this day')
  }
  if (rules.closedToDeparture.has(arrival + nights)) {
    refuse('/stay/checkOut', 'closed_to_departure', 'no departures on this day')
  }
  return broken
}

/** A child may sleep in an adult's bed, never the other way round. */
export function fits(rooms: readonly RoomCount[], { party }: StayAsk): boolean {
  let adultBeds = 0
  let beds = 0
  for (const { room, quantity } of rooms) {
    adultBeds += room.adultsMax * quantity
    beds += (room.adultsMax + room.childrenMax) * quantity
  }
  const guests = party.adults + party.childAges.length
  return party.adults <= adultBeds && guests <= beds
}
