import { Section } from '@melmastoon/bff/sections'
import { id, isoDate } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'

export const NIGHTS_MAX = 92

const count = () => Type.Integer({ minimum: 0 })

/** How full a hotel is, night by night. A hint: what is bookable is decided where one books. */
export const HotelAvailability = Type.Object({
  sections: Type.Object({ availability: Section }),
  degraded: Type.Boolean(),
  propertyId: id('ppt'),
  nights: Type.Array(Type.Object({ night: isoDate(), roomsLeft: count(), roomsTotal: count() }), {
    maxItems: NIGHTS_MAX,
  }),
})

export type HotelAvailability = Static<typeof HotelAvailability>
