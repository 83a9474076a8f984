import { type Hotel, hotelPath, MAP, mapQuestion } from '../other-pages/asked-pages.ts'
import type { Question } from '../search/questions.ts'
import { SEARCH } from '../search/stage.ts'

export interface ReadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

const BASE = '/bff/consumer/v1'
const HOTELS_SHOWN = 20

/** Everything a guest can read, of many hotels. */
export function readRequests(question: Question, hotels: readonly Hotel[]): ReadRequest[] {
  const shown = hotels.slice(0, HOTELS_SHOWN)
  const { checkIn, checkOut } = question.dates
  const stay = `checkIn=${checkIn}&checkOut=${checkOut}`
  const compared = shown.slice(0, 3).map(({ propertyId }) => propertyId)
  return [
    post(SEARCH, JSON.stringify(question)),
    post(SEARCH, JSON.stringify({ ...question, pageSize: 10 })),
    post(MAP, mapQuestion(question)),
    ...shown.flatMap((hotel) => [
      get(hotelPath(hotel, question)),
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
