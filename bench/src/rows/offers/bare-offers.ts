import { Pool } from 'undici'
import { queryOf, serveCalls } from '../../harness/serve-calls.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import type { SearchEnvironment } from '../search/search-environment.ts'

interface Start extends Pick<SearchEnvironment, 'upstreams' | 'secret'> {
  readonly propertyId: string
}

/** The floor: the one upstream call and parsing its response; everything else is prepared. */
async function start({ upstreams, secret, propertyId }: Start): Promise<number> {
  const { origin, pathname } = new URL(upstreams.search)
  const pool = new Pool(origin, { connections: 64 })
  const headers = {
    authorization: `Bearer ${secret}`,
    'x-calling-service': 'bare-offers',
    'content-type': 'application/json',
  }
  const call = async (query: URLSearchParams) => {
    const isCalendar = query.has('from')
    const occupancy = { adults: Number(query.get('adults')), children: 0, rooms: 1 }
    const path = `/api/v1/search/hotels/${propertyId}/${isCalendar ? 'calendar' : 'offers'}`
    const asked = isCalendar
      ? { from: query.get('from'), nights: Number(query.get('nights')) }
      : { stay: { checkIn: query.get('checkIn'), checkOut: query.get('checkOut') } }
    const body = JSON.stringify({ ...asked, occupancy, currency: 'USD' })
    const response = await pool.request({ method: 'POST', path: pathname + path, headers, body })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    await response.body.json()
  }
  return await serveCalls((request) => call(queryOf(request)))
}

serveCommands({ start })
