import { area } from '../area.ts'
import { CHANGED, NOT_NOW, OTHER_STAY } from './repeated.ts'

const DATES = 'Please check the dates of your stay.'
const HOLD_EXPIRED = 'The room is no longer held for you. Please choose it again.'

export const hotel = {
  ...area('errors.tenant', {
    context_missing: 'Something went wrong on our side. Please try again later.',
    not_found: 'This hotel was not found.',
    suspended: 'This hotel does not accept bookings at present.',
    slug_taken: 'This short name is already in use. Please choose another one.',
    domain_taken: 'This domain is already in use. Please choose another one.',
    illegal_transition: NOT_NOW,
    payment_not_configured: 'This hotel cannot accept payments yet.',
    context_required: 'Please choose a hotel first.',
    operator_not_found: 'This member of staff was not found.',
    version_conflict: CHANGED,
  }),
  ...area('errors.theme', {
    not_found: 'The design of this hotel was not found.',
    version_not_found: 'This version of the design was not found.',
    contrast_too_low: 'These colours are hard to read. Please choose colours with more contrast.',
  }),
  ...area('errors.property', {
    not_found: 'This hotel was not found. It may no longer be listed.',
  }),
  ...area('errors.search', {
    cursor_invalid: 'This list has changed. Please start again from the first page.',
    area_invalid: 'Please choose another area for your search.',
    stay_invalid: DATES,
    price_range_invalid: 'The lowest price must not exceed the highest price.',
  }),
  ...area('errors.pricing', {
    stay_invalid: DATES,
    no_rate: `There is no price for this stay. ${OTHER_STAY}`,
    restricted:
      'This rate is not available for these dates. Please change the arrival or departure day.',
    rate_plan_not_found: 'This rate was not found. Please choose another one.',
    quote_not_found: 'This price was not found. Please choose the room again.',
    quote_expired: 'This price is no longer valid. Please choose the room again.',
    promotion_refused: 'This promotion code does not apply to your stay.',
    fx_snapshot_stale:
      'The exchange rates are out of date. Please use the currency of the hotel, or try again later.',
    price_changed: 'The price has changed. Please check the new price.',
  }),
  ...area('errors.inventory', {
    insufficient_availability: `There are not enough rooms available. ${OTHER_STAY}`,
    stay_invalid: DATES,
    room_type_not_found: 'This type of room was not found.',
    hold_not_found: HOLD_EXPIRED,
    hold_expired: HOLD_EXPIRED,
    hold_settled: 'This room is already booked or released.',
    extension_refused: 'The room cannot be held any longer. Please complete the booking.',
    below_committed: 'More rooms are already booked than this. Please move or cancel stays first.',
    room_taken: 'This room is assigned for some of these nights. Please choose another room.',
    room_not_found: 'This room was not found.',
    rooms_assigned: 'All rooms of this stay already have a number.',
    hold_limit_reached: 'You are holding too many rooms. Please complete or release one first.',
    hold_of_reservation: 'This room belongs to a booking. Please change the booking.',
  }),
  ...area('errors.reservation', {
    not_found: 'This booking was not found.',
    overbooking_blocked: `The rooms are no longer available. ${OTHER_STAY}`,
    hold_active: 'A room is already held for this booking. Please continue with it.',
    hold_expired: HOLD_EXPIRED,
    illegal_transition: NOT_NOW,
    quote_mismatch: 'The price is for another stay. Please choose the room again.',
    version_conflict: CHANGED,
    room_not_ready: 'The room is not ready yet. Please wait, or choose another room.',
    room_not_available: 'The room is not available. Please choose another room.',
    rooms_mismatch: 'These rooms do not match the booking. Please choose the booked rooms.',
    dates_invalid: DATES,
  }),
}
