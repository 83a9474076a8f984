import { StayQuery } from '@melmastoon/bff/stays'
import type { CurrencyCode, Locale, PropertyId, StayDates } from '@melmastoon/domain'
import { text } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import type { SearchQuery } from '../search/search-query.ts'

/** Whether we know the language and the currency is answered with codes of their own. */
export const HotelQuery = Type.Object({
  locale: Type.Optional(text(35)),
  currency: Type.Optional(text(8)),
  ...StayQuery.properties,
})

export type HotelQuery = Static<typeof HotelQuery>

/** A question in the one form that all ways to ask it come down to. */
export interface HotelQuestion {
  readonly propertyId: PropertyId
  readonly locale: Locale
  readonly currency: CurrencyCode
  /** Without one it is the default, which the hotel's own day decides. */
  readonly stay: StayDates | undefined
  readonly occupancy: SearchQuery['occupancy']
}
