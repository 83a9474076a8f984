import { Facets } from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'
import { ListingCardVM } from '../cards/listing-card.ts'

const Section = Type.Object({
  status: Type.Enum(['fresh', 'stale', 'missing']),
  ageMs: Type.Integer({ minimum: 0, description: 'When the page was made; `Age` adds the rest' }),
})

export type Section = Static<typeof Section>

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
