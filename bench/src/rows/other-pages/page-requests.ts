import { sendOne } from '../../harness/http-load.ts'
import type { Query } from '../search/queries.ts'
import { VISITOR } from '../search/queries.ts'
import { type ConsumerServer, SEARCH } from '../search/search-environment.ts'

export const MAP = '/bff/consumer/v1/search/map'

/** Kabul and its surroundings. */
const KABUL = { swLat: 34.3, swLng: 68.9, neLat: 34.8, neLng: 69.5 }

export interface Hotel {
  readonly propertyId: string
  readonly tenantId: string
}

/** The hotels that a search finds. */
export async function findHotels(us: ConsumerServer, query: Query): Promise<Hotel[]> {
  const { body } = await sendOne({
    url: new URL(SEARCH, us.url).href,
    headers: { ...VISITOR, cookie: us.cookie },
    body: JSON.stringify(query),
  })
  return (JSON.parse(body.toString()) as { items: Hotel[] }).items
}

export function hotelPath({ propertyId }: Hotel, { dates, currency }: Query): string {
  const stay = `checkIn=${dates.checkIn}&checkOut=${dates.checkOut}&adults=2`
  return `/bff/consumer/v1/hotels/${propertyId}?locale=en&currency=${currency}&${stay}`
}

export function calendarPath({ propertyId }: Hotel, { dates, currency }: Query): string {
  const days = `from=${dates.checkIn}&nights=60&adults=2`
  return `/bff/consumer/v1/hotels/${propertyId}/calendar?locale=en&currency=${currency}&${days}`
}

export function mapQuery({ dates, occupancy, currency }: Query): string {
  const geo = { mode: 'bounding-box', boundingBox: KABUL }
  return JSON.stringify({ geo, dates, occupancy, filters: {}, currency })
}
