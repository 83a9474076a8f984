import { Pool } from 'undici'
import { queryOf, serveCalls } from '../../harness/serve-calls.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import type { SearchEnvironment } from '../search/search-environment.ts'

const CALENDAR_DAYS = 7

interface Start extends Pick<SearchEnvironment, 'upstreams' | 'secret'> {
  readonly propertyId: string
  /** Similar hotels, priced in the same call. */
  readonly similar: readonly string[]
}

/** The floor: the two pricing calls and parsing their responses; everything else is prepared. */
async function start({ upstreams, secret, propertyId, similar }: Start): Promise<number> {
  const { origin, pathname } = new URL(upstreams.pricing)
  const pool = new Pool(origin, { connections: 64 })
  const headers = {
    authorization: `Bearer ${secret}`,
    'x-calling-service': 'bare-hotel',
    'content-type': 'application/json',
  }
  const read = async (method: 'GET' | 'POST', path: string, body: string | null) => {
    const response = await pool.request({ method, path: pathname + path, headers, body })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
  const call = async (query: URLSearchParams) => {
    const checkIn = query.get('checkIn') ?? ''
    const stay = { checkIn, checkOut: query.get('checkOut') ?? '' }
    const occupancy = { adults: Number(query.get('adults')), children: 0, rooms: 1 }
    const currency = 'USD'
    const preview = { propertyIds: [propertyId, ...similar], stay, occupancy, currency }
    const nights = `from=${checkIn}&nights=${CALENDAR_DAYS}&currency=${currency}`
    await Promise.all([
      read('POST', '/api/v1/pricing/quotes/preview', JSON.stringify(preview)),
      read('GET', `/api/v1/pricing/properties/${propertyId}/calendar?${nights}`, null),
    ])
  }
  return await serveCalls((request) => call(queryOf(request)))
}

serveCommands({ start })
