import { described, text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { HotelQuery } from '../hotels/hotel-query.ts'

const { locale, currency } = HotelQuery.properties

/** For this request only, as for a hotel. Every read takes both, so that clients may add them. */
export const PREFERENCE_QUERY = { locale, currency }

const unusedCurrency = Type.Optional(
  described(text(8), 'Validated, and without effect: the response has no prices'),
)

/** Of reads that have texts but no prices. */
export const TEXT_QUERY = { locale, currency: unusedCurrency }

/** Of reads that have neither. */
export const NEUTRAL_QUERY = {
  locale: Type.Optional(
    described(text(35), 'Validated, and without effect: the response has no texts'),
  ),
  currency: unusedCurrency,
}
