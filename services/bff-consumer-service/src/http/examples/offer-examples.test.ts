import { Check } from 'typebox/value'
import { expect, it } from 'vitest'
import { HotelCalendarVM } from '../../calendar/hotel-calendar.ts'
import { BookingHandoffVM, HandoffBody } from '../../handoff/handoff-fields.ts'
import { HotelPriceVM } from '../../hotels/hotel-detail.ts'
import { HotelOffersVM } from '../../offers/hotel-offers.ts'
import { offerExamples } from './offer-examples.ts'

it.each([
  ['offers', HotelOffersVM, offerExamples['consumer.hotel.offers'].responses[200]],
  ['calendar', HotelCalendarVM, offerExamples['consumer.hotel.calendar'].responses[200]],
  ['price', HotelPriceVM, offerExamples['consumer.hotel.price'].responses[200]],
  ['handoff', HandoffBody, offerExamples['consumer.handoff.mint'].body],
  ['handoff', BookingHandoffVM, offerExamples['consumer.handoff.mint'].responses[201]],
])('the example of %s matches its schema', (_name, schema, example) => {
  expect(Check(schema, example)).toBe(true)
})
