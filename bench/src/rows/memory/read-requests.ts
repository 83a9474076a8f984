import { type Hotel, hotelPath, MAP, mapQuery } from '../other-pages/page-requests.ts'
import type { Query } from '../search/queries.ts'
import { SEARCH } from '../search/search-environment.ts'

export interface ReadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

const BASE = '/bff/consumer/v1'
const HOTELS_SHOWN = 20

/** All read routes, for many hotels. */
export function readRequests(query: Query, hotels: readonly Hotel[]): ReadRequest[] {
  const shown = hotels.slice(0, HOTELS_SHOWN)
  const { checkIn, checkOut } = query.dates
  const stay = `checkIn=${checkIn}&checkOut=${checkOut}`
  const compared = shown.slice(0, 3).map(({ propertyId }) => propertyId)
  return [
    post(SEARCH, JSON.stringify(query)),
    post(SEARCH, JSON.stringify({ ...query, pageSize: 10 })),
    post(MAP, mapQuery(query)),
    ...shown.flatMap((hotel) => [
      get(hotelPath(hotel, query)),
      get(`${BASE}/hotels/${hotel.propertyId}/price?${stay}`),
      get(`${BASE}/hotels/${hotel.propertyId}/availability?from=${checkIn}&to=${checkOut}`),
    ]),
    get(`${BASE}/suggest?q=ka`),
    get(`${BASE}/facets`),
    get(`${BASE}/session`),
    get(`${BASE}/recently-viewed`),
    get(`${BASE}/wishlist`),
    get(`${BASE}/compare?ids=${compared.join(',')}&${stay}`),
  ]
}

function get(path: string): ReadRequest {
  return { method: 'GET', path }
}

function post(path: string, body: string): ReadRequest {
  return { method: 'POST', path, body }
}
