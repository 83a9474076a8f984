import { Section } from '@melmastoon/bff/sections'
import { type Static, Type } from 'typebox'

const count = () => Type.Integer({ minimum: 0, description: 'Hotels that have it' })

const FacetValue = Type.Object({
  value: Type.String({ description: 'As the filters of a search take it' }),
  label: Type.String({ description: 'In the language of the answer where it has one' }),
  count: count(),
})

export type FacetValue = Static<typeof FacetValue>

const values = () => Type.Array(FacetValue, { maxItems: 200 })

/** What there is to filter by, the commonest first; stars in their own order. */
export const FacetCatalog = Type.Object({
  sections: Type.Object({ facets: Section }),
  degraded: Type.Boolean(),
  total: count(),
  amenities: values(),
  starRating: Type.Array(
    Type.Object({ value: Type.Integer({ minimum: 1, maximum: 5 }), count: count() }),
    { maxItems: 5 },
  ),
  propertyType: values(),
  neighbourhoods: values(),
  cities: values(),
})

export type FacetCatalog = Static<typeof FacetCatalog>
