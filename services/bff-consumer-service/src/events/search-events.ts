import { defineEvent } from '@melmastoon/events'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import { Type } from 'typebox'
import {
  byGuest,
  count,
  currency,
  guestSessionId,
  hashed,
  instant,
  locale,
  payload,
  searchSessionId,
  telemetry,
} from './fields.ts'

const FILTERS = [
  'priceRange',
  'amenities',
  'starRating',
  'guestRatingMin',
  'propertyType',
  'cancellationFlexibility',
  'neighbourhoods',
  'availableOnly',
] as const

/** How guests search, not where: places are free text and omitted. */
export const searchExecuted = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.search.executed.v1',
  sampleRate: 0.25,
  debounceSeconds: 30,
  piiAllowed: [
    'guestSessionId',
    'searchSessionId',
    'kind',
    'queryHash',
    'geoMode',
    'leadDays',
    'filters',
    'sortKey',
    'isFirstPage',
    'pageSize',
    'resultCount',
    'itemCount',
    'pricedCount',
    'executedAt',
  ],
  payload: payload({
    guestSessionId: guestSessionId(),
    searchSessionId: searchSessionId(),
    kind: Type.Enum(['list', 'map']),
    queryHash: hashed(),
    geoMode: Type.Enum(['point', 'bounding-box', 'city', 'region']),
    nights: count(30),
    leadDays: Type.Integer({ minimum: -1, maximum: 366 }),
    adults: count(30),
    children: count(20),
    rooms: count(10),
    filters: Type.Array(Type.Enum([...FILTERS]), { maxItems: FILTERS.length }),
    sortKey: Type.Enum([...SORT_KEYS]),
    isFirstPage: Type.Boolean(),
    /** For a map: the maximum number of pins. */
    pageSize: count(250),
    resultCount: count(),
    itemCount: count(250),
    pricedCount: count(250),
    cache: Type.Enum(['hit', 'stale', 'miss', 'bypass']),
    locale: locale(),
    currency: currency(),
    executedAt: instant(),
  }),
  orderingKey: byGuest,
})
