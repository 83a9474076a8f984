import { Type } from 'typebox'
import { SearchBody } from '../../search/search-schema.ts'

const parts = SearchBody.properties.geo.properties

/** Of requests, in which unknown members are rejected. */
const point = {
  ...parts.point,
  title: 'GeoRadiusInput',
  description: 'A point and a radius around it',
  additionalProperties: false,
}
const boundingBox = {
  ...parts.boundingBox,
  title: 'GeoBoxInput',
  description:
    'A box of coordinates: `neLat` is at least `swLat`, and `swLng` greater than `neLng` crosses the antimeridian',
  additionalProperties: false,
}

/** `validateSearch` rejects names without a visible character. */
const VISIBLE = '\\S'
const city = { ...parts.city, pattern: VISIBLE }
const region = { ...parts.region, pattern: VISIBLE }

/** One schema per mode, each with its own member: what a search really accepts. */
const MODES = {
  point: ['GeoPointQuery', 'Hotels around a point', { point }],
  'bounding-box': ['GeoBoxQuery', 'Hotels in a box', { boundingBox }],
  city: ['GeoCityQuery', 'Hotels of a city, in any spelling', { city }],
  region: ['GeoRegionQuery', 'Hotels of a region, in any spelling', { region }],
} as const

const branches = Object.entries(MODES).map(([mode, [title, description, members]]) => {
  const properties = { mode: Type.Enum([mode]), ...members }
  return Type.Object(properties, {
    title,
    description,
    required: Object.keys(properties),
    additionalProperties: false,
  })
})

const mapping = Object.entries(MODES).map(([mode, [name]]) => [
  mode,
  `#/components/schemas/${name}`,
])

/**
 * The area of a search for the document: a union by `mode`. The service validates the members by
 * itself, because it says which of them is wrong.
 */
export const GEO_UNION = {
  oneOf: branches,
  discriminator: { propertyName: 'mode', mapping: Object.fromEntries(mapping) },
} as const
