import { CURRENCY_CODES, idPattern, LOCALES } from '@melmastoon/domain'
import { createRegistry, defineEvent } from '@melmastoon/events'
import { SORT_KEYS } from '@melmastoon/upstream-contracts/search'
import { Type } from 'typebox'

const telemetry = {
  version: 1,
  producer: 'bff-consumer-service',
  retentionClass: 'operational',
  retentionDays: 90,
} as const

const guestSessionId = () => Type.String({ pattern: idPattern('gms') })
const hashed = () => Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
const instant = () => Type.String({ format: 'date-time' })
const count = (maximum = 1_000_000) => Type.Integer({ minimum: 0, maximum })

const Surroundings = {
  locale: Type.Enum([...LOCALES]),
  currency: Type.Enum([...CURRENCY_CODES]),
}

/** Where the guest comes from is in the envelope's attribution. */
export const sessionStarted = defineEvent({
  ...telemetry,
  subject: 'melmastoon.bff.consumer.session.started.v1',
  sampleRate: 1,
  piiAllowed: [
    'guestSessionId',
    'ipHash',
    'userAgentHash',
    'fingerprintHash',
    'consentMarketing',
    'startedAt',
  ],
  payload: Type.Object(
    {
      guestSessionId: guestSessionId(),
      ...Surroundings,
      ipHash: hashed(),
      userAgentHash: hashed(),
      fingerprintHash: hashed(),
      consentMarketing: Type.Boolean(),
      startedAt: instant(),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.guestSessionId,
})

/** How people search, not where: places are words of their own and stay out. */
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
  payload: Type.Object(
    {
      guestSessionId: guestSessionId(),
      searchSessionId: Type.String({ pattern: idPattern('srs') }),
      kind: Type.Enum(['list']),
      queryHash: hashed(),
      geoMode: Type.Enum(['point', 'bounding-box', 'city', 'region']),
      nights: count(30),
      leadDays: Type.Integer({ minimum: -1, maximum: 366 }),
      adults: count(30),
      children: count(20),
      rooms: count(10),
      filters: Type.Array(
        Type.Enum([
          'priceRange',
          'amenities',
          'starRating',
          'guestRatingMin',
          'propertyType',
          'cancellationFlexibility',
          'neighbourhoods',
        ]),
        { maxItems: 7 },
      ),
      sortKey: Type.Enum([...SORT_KEYS]),
      isFirstPage: Type.Boolean(),
      pageSize: count(50),
      resultCount: count(),
      itemCount: count(50),
      pricedCount: count(50),
      cache: Type.Enum(['hit', 'stale', 'miss', 'bypass']),
      ...Surroundings,
      executedAt: instant(),
    },
    { additionalProperties: false },
  ),
  orderingKey: (payload) => payload.guestSessionId,
})

/** Telemetry alone: this service changes nobody's business state. */
export const registry = createRegistry([sessionStarted, searchExecuted])
