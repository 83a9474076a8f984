import type { SchemaNote } from '@melmastoon/chassis/http'
import { Geo } from '@melmastoon/upstream-contracts'
import { BoundingBox, Facets, GeoArea } from '@melmastoon/upstream-contracts/search'
import { FacetCatalog, SearchFacetsVM } from '../../facets/facet-catalog.ts'
import { MapBody, SearchMap } from '../../map/map-schema.ts'
import { AlternativeVM, PlaceVM } from '../../places/place-view.ts'
import { SearchBody, SearchPage } from '../../search/search-schema.ts'
import { Suggestions } from '../../suggestions/suggestion-schema.ts'
import { GEO_UNION } from './geo-query.ts'

const { geo, filters, occupancy } = SearchBody.properties
const { pins, clusters, pinPrices } = SearchMap.properties
const { price, guestRating } = SearchFacetsVM.properties
const { amenities: values, starRating: stars } = FacetCatalog.properties

/** Searches, maps, facets and places. */
export const searchSchemas = {
  SearchRequest: {
    of: [SearchBody],
    description: 'Which hotels, when and for whom',
    properties: {
      locale: 'For this request only; matched by lookup',
      currency: 'For this request only',
      geo: 'Where',
    },
  },
  MapRequest: { of: [MapBody], description: 'A box, when and for whom' },
  GeoQuery: {
    of: [geo, MapBody.properties.geo, GeoArea],
    as: GEO_UNION,
    description: 'An area to search in: exactly one mode, with the member of that mode',
  },
  GeoBox: {
    of: [BoundingBox, geo.properties.boundingBox],
    description: 'A box of coordinates; `swLng` greater than `neLng` crosses the antimeridian',
  },
  GeoCoordinates: { of: [Geo], description: 'A point (WGS 84)' },
  SearchFilters: {
    of: [filters],
    description: 'Only hotels that meet all of them',
    properties: {
      starRating: 'A hotel has one of these numbers of stars',
      neighbourhoods: 'Keys of neighbourhoods; a hotel is in one of them',
      priceRange: 'Only hotels whose shown price is in the range',
      availableOnly: 'Only hotels where the stay can be booked',
    },
  },
  PriceRange: {
    of: [filters.properties.priceRange],
    description: 'Bounds of the price shown',
  },
  SearchOccupancy: {
    of: [occupancy],
    description: 'The party; ages are required for prices that depend on them',
  },
  SearchPage: {
    of: [SearchPage],
    description: 'One page of hotels. It contains nothing about the caller',
    properties: { items: 'The hotels of this page' },
  },
  SearchSections: {
    of: [SearchPage.properties.sections],
    description: 'The state of each part of a search result',
  },
  FacetCounts: { of: [Facets], description: 'The number of matching hotels by value' },
  Place: {
    of: [PlaceVM],
    description: 'A place to search in',
    properties: { city: 'The city of the place', region: 'The region of the place' },
  },
  PlaceName: {
    of: [PlaceVM.properties.city],
    description: 'A place that contains another one',
  },
  PlaceFilters: {
    of: [PlaceVM.properties.filters],
    description: 'The `filters` of a search for a place, in addition to `geoQuery`',
    properties: { neighbourhoods: 'The key of the neighbourhood' },
  },
  Alternative: {
    of: [AlternativeVM],
    description: 'Where to search instead',
    properties: { city: 'The city of the place', region: 'The region of the place' },
  },
  Suggestions: { of: [Suggestions], description: 'Places and hotels for a text' },
  Suggestion: {
    of: [Suggestions.properties.suggestions.items],
    description: 'A place or a hotel',
    properties: {
      city: 'The city of the place or hotel',
      region: 'The region of the place or hotel',
      propertyId: 'Only of a hotel',
    },
  },
  SearchMap: { of: [SearchMap], description: 'The hotels of a box. Nothing about the caller' },
  MapPin: {
    of: [pins.items],
    description: 'A hotel on the map',
    properties: {
      currency: 'Of the price on the pin (ISO 4217)',
      availability: 'Whether the stay can be booked, as on a card; absent where it is not known',
      rateSnapshot: 'Only of the targeted pin, with the terms of its price',
    },
  },
  PinPrice: {
    of: [pins.items.properties.shownPrice],
    description: 'The price on a pin',
    properties: { nightlyMinor: 'The cheapest night of the stay, in minor units' },
  },
  PinPriceCapture: {
    of: [pinPrices],
    description: 'When the prices and the availability of the pins were captured',
    properties: { isStale: 'Older than a minute' },
  },
  MapCluster: { of: [clusters.items], description: 'Hotels that are shown as one' },
  SearchFacets: {
    of: [SearchFacetsVM],
    description:
      'The values of all filters for this search, each as if its own filter were not set',
    properties: {
      amenities: 'Amenities',
      starRating: 'Stars, in descending order',
      propertyType: 'Kinds of property',
      neighbourhoods: 'Neighbourhoods',
      cities: 'Cities',
    },
  },
  PriceHistogram: {
    of: [price],
    description: 'The distribution of the shown prices',
    properties: { min: 'The lowest price', max: 'The highest price' },
  },
  PriceBucket: {
    of: [price.properties.buckets.items],
    description: 'Hotels in a range of prices',
    properties: { from: 'The lowest price, in minor units', to: 'The next range begins here' },
  },
  RatingHistogram: {
    of: [guestRating],
    description: 'The distribution of the ratings',
    properties: { min: 'The lowest rating', max: 'The highest rating' },
  },
  RatingBucket: {
    of: [guestRating.properties.buckets.items],
    description: 'Hotels in a range of ratings',
    properties: { from: 'The lowest rating', to: 'The next range begins here' },
  },
  FacetCatalog: {
    of: [FacetCatalog],
    description: 'The values of all filters, the most frequent first',
    properties: {
      amenities: 'Amenities',
      starRating: 'Stars, in descending order',
      propertyType: 'Kinds of property',
      neighbourhoods: 'Neighbourhoods',
      cities: 'Cities',
      total: 'The number of hotels',
    },
  },
  FacetSections: {
    of: [FacetCatalog.properties.sections],
    description: 'The state of the facets',
    properties: { facets: 'The state of the facets' },
  },
  FacetValue: { of: [values.items], description: 'One value of a filter' },
  StarFacetValue: {
    of: [stars.items],
    description: 'A number of stars',
    properties: { value: 'One to five' },
  },
} as const satisfies Readonly<Record<string, SchemaNote>>
