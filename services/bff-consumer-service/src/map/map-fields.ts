import { id } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { SearchBody } from '../search/search-fields.ts'

const { geo, dates, occupancy, filters, locale, currency } = SearchBody.properties

export const MapBody = Type.Object({
  geo: Type.Object(geo.properties, {
    description: 'A bounding box. One whose neLng lies west of its swLng crosses the antimeridian',
  }),
  dates,
  occupancy,
  filters,
  targetPropertyId: Type.Optional(
    Type.Unsafe<Static<ReturnType<typeof id<'ppt'>>>>(
      Type.String({ ...id('ppt'), description: 'The pin under the cursor: it gets a price' }),
    ),
  ),
  locale,
  currency,
})

export type MapBody = Static<typeof MapBody>
