import { newId, type PropertyId, type TenantId } from '@melmastoon/domain'
import { dayFromNow, searchRequest } from './start-consumer.ts'

export interface Step {
  /** Method and path as in the OpenAPI document. */
  readonly route: string
  readonly path: string
  readonly json?: unknown
}

export interface Destination {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
}

const BASE = '/bff/consumer/v1'
const BOX = { swLat: 34, swLng: 69, neLat: 35, neLng: 70 }

/** Every public route once, in an order in which each has data to work with. */
export function journeyTo({ propertyId, tenantId }: Destination): Step[] {
  const { dates, occupancy } = searchRequest()
  const nights = `from=${dayFromNow(1)}&to=${dayFromNow(4)}`
  const hotel = `/hotels/${propertyId}`
  const map = searchRequest({
    geo: { mode: 'bounding-box', boundingBox: BOX },
    targetPropertyId: propertyId,
  })
  const steps: [string, string, unknown?][] = [
    ['post /session', '/session', {}],
    ['get /session', '/session'],
    ['post /session/locale', '/session/locale', { locale: 'ps-AF' }],
    ['post /session/currency', '/session/currency', { currency: 'USD' }],
    ['post /session/consent', '/session/consent', { telemetry: true }],
    ['post /search', '/search', searchRequest()],
    ['post /search/map', '/search/map', map],
    ['get /suggest', '/suggest?q=h'],
    ['get /facets', '/facets'],
    ['get /locales', '/locales'],
    ['get /messages/{locale}', '/messages/ps'],
    ['get /hotels/{propertyId}', hotel],
    ['get /hotels/{propertyId}/price', `${hotel}/price`],
    ['get /hotels/{propertyId}/offers', `${hotel}/offers`],
    ['get /hotels/{propertyId}/calendar', `${hotel}/calendar`],
    ['get /hotels/{propertyId}/availability', `${hotel}/availability?${nights}`],
    ['get /compare', `/compare?ids=${propertyId}`],
    ['post /wishlist', '/wishlist', { propertyId, source: 'detail' }],
    ['get /wishlist', '/wishlist'],
    ['delete /wishlist/{propertyId}', `/wishlist/${propertyId}`],
    ['get /recently-viewed', '/recently-viewed'],
    ['post /telemetry/page-view', '/telemetry/page-view', { path: `/hotels/${propertyId}` }],
    ['post /telemetry/funnel', '/telemetry/funnel', { step: 'map.opened' }],
    ['post /challenge/local', '/challenge/local', { action: 'consumer_search_list' }],
    [
      'post /handoff/{tenantId}/{propertyId}',
      `/handoff/${tenantId}/${propertyId}`,
      { dates, occupancy },
    ],
    ['post /session/clear', '/session/clear', {}],
  ]
  return steps.map(([route, path, json]) => ({
    route: route.replace(' ', ` ${BASE}`),
    path: `${BASE}${path}`,
    json,
  }))
}

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'accept-language': 'en',
}

/** Sends the steps of a journey with a browser's headers and its session cookie. */
export function createJourneyClient(url: string) {
  let cookie = ''
  return async ({ route, path, json }: Step): Promise<number> => {
    const response = await fetch(new URL(path, url), {
      method: route.split(' ')[0]?.toUpperCase() ?? '',
      headers: {
        ...BROWSER,
        'idempotency-key': newId('req'),
        ...(cookie !== '' && { cookie }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    await response.arrayBuffer()
    return response.status
  }
}
