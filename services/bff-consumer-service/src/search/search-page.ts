import { Section } from '@melmastoon/bff/sections'
import { Facets } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { ListingCardVM } from '../cards/listing-card.ts'

/** The shared answer: nothing in it is about who asked (D5). */
export const SearchPage = Type.Object({
  sections: Type.Object({ listings: Section, prices: Section, brands: Section }),
  degraded: Type.Boolean({ description: 'Some section is not what it should be' }),
  total: Type.Integer({ minimum: 0 }),
  nextCursor: Type.Optional(Type.String()),
  items: Type.Array(ListingCardVM, { maxItems: 50 }),
  facets: Type.Optional(Facets),
})

export type SearchPage = Static<typeof SearchPage>
