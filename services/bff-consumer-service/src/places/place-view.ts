import { type Locale, textFor } from '@melmastoon/domain'
import { Geo, type OutputOf, text } from '@melmastoon/upstream-contracts'
import {
  BoundingBox,
  GeoArea,
  PLACE_KINDS,
  type PlaceSummary,
  SEARCH_TEXT_MAX,
  type searchContract,
} from '@melmastoon/upstream-contracts/search'
import { type Static, Type } from 'typebox'

type Found = OutputOf<(typeof searchContract)['operations']['query']>

const described = (description: string) => Type.String({ description })

const PlaceName = Type.Object({
  key: described('As used by `geo.city` or `geo.region`'),
  name: described('In the language of the response'),
})

/** The members that suggested hotels have as well. */
export const PLACE_MEMBERS = {
  key: text(120),
  name: described('In the language of the response'),
  country: described('ISO 3166-1 alpha-2'),
  countryName: described('In the language of the response'),
  city: Type.Optional(PlaceName),
  region: Type.Optional(PlaceName),
  geo: Geo,
}

export const boundingBox = () =>
  Type.Unsafe<Static<typeof BoundingBox>>({
    ...BoundingBox,
    description:
      'The smallest box around the place and its hotels; `swLng` greater than `neLng` means that ' +
      'it crosses the antimeridian',
  })

export const geoQuery = () =>
  Type.Unsafe<GeoArea>({ ...GeoArea, description: 'The `geo` of a search for this place' })

export const placeFilters = () =>
  Type.Object(
    { neighbourhoods: Type.Array(text(SEARCH_TEXT_MAX.neighbourhood), { maxItems: 1 }) },
    { description: 'The `filters` of a search for this place, in addition to `geoQuery`' },
  )

/** A place to search in. */
export const PlaceVM = Type.Object({
  kind: Type.Enum([...PLACE_KINDS]),
  ...PLACE_MEMBERS,
  count: Type.Integer({
    minimum: 0,
    description:
      'Number of listed hotels that `geoQuery` and `filters` select; with a stay, the total of ' +
      'that search',
  }),
  boundingBox: boundingBox(),
  geoQuery: geoQuery(),
  filters: Type.Optional(placeFilters()),
})

export type PlaceVM = Static<typeof PlaceVM>

/** Where to search instead of a place without results. */
export const AlternativeVM = Type.Object({
  ...PlaceVM.properties,
  count: Type.Integer({ minimum: 1, description: 'The total of that search' }),
  because: Type.Enum(['similar_name', 'nearby', 'popular'], {
    description: '`similar_name`: the requested name is unknown, and this one sounds like it',
  }),
  distanceKm: Type.Optional(
    Type.Number({ minimum: 0, description: 'From the requested place, where that is known' }),
  ),
})

export type AlternativeVM = Static<typeof AlternativeVM>

type Alternative = NonNullable<Found['alternatives']>[number]

export function alternativeView(place: Alternative, locale: Locale): AlternativeVM {
  const { because, distanceKm } = place
  return { ...placeView(place, locale), because, ...(distanceKm !== undefined && { distanceKm }) }
}

/** Every member is named: undeclared members of an upstream response are dropped. */
export function placeView(place: PlaceSummary, locale: Locale): PlaceVM {
  const { kind, properties, boundingBox: box, search } = place
  const { neighbourhoods } = search
  return {
    kind,
    ...placeMembers(place, locale),
    count: properties,
    boundingBox: boxView(box),
    geoQuery: search.geo,
    ...(neighbourhoods && { filters: { neighbourhoods } }),
  }
}

type Named = Pick<PlaceSummary, 'key' | 'name' | 'country' | 'city' | 'region' | 'geo'>

export function placeMembers(place: Named, locale: Locale) {
  const { key, name, country, city, region, geo } = place
  return {
    key,
    name: textFor(name, locale),
    country,
    countryName: countryName(country, locale),
    ...(city && { city: { key: city.key, name: textFor(city.name, locale) } }),
    ...(region && { region: { key: region.key, name: textFor(region.name, locale) } }),
    geo: { lat: geo.lat, lng: geo.lng },
  }
}

export function boxView({ swLat, swLng, neLat, neLng }: Static<typeof BoundingBox>) {
  return { swLat, swLng, neLat, neLng }
}

const displayNames = new Map<Locale, Intl.DisplayNames>()

/** By the Unicode CLDR, which the runtime contains. */
function countryName(country: string, locale: Locale): string {
  let names = displayNames.get(locale)
  if (names === undefined) {
    names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
    displayNames.set(locale, names)
  }
  return names.of(country) ?? country
}
