import { Pool } from 'undici'
import { queryOf, serveCalls } from '../../harness/serve-calls.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { type BookedHotel, serviceHeaders, type Upstreams } from './booking-environment.ts'

/** The floor: rooms left and rates of one stay, parsed. Texts of the hotel are prepared. */
async function start({ url, secret, tenantId, propertyId }: Upstreams & BookedHotel) {
  const pool = new Pool(url, { connections: 64 })
  const headers = {
    ...serviceHeaders(secret),
    'x-tenant-id': tenantId,
    'content-type': 'application/json',
  }
  const read = async (method: 'GET' | 'POST', path: string, body: string | null) => {
    const response = await pool.request({ method, path: `/upstreams${path}`, headers, body })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
  const call = async (query: URLSearchParams) => {
    const [checkIn, checkOut] = [query.get('checkIn') ?? '', query.get('checkOut') ?? '']
    const occupancy = { adults: Number(query.get('adults')), children: 0, rooms: 1 }
    const currency = 'AED'
    const rates = { propertyId, stay: { checkIn, checkOut }, occupancy, currency, plans: 'all' }
    const nights = `propertyId=${propertyId}&from=${checkIn}&to=${checkOut}`
    await Promise.all([
      read('POST', '/pricing/api/v1/pricing/rates/cheapest', JSON.stringify(rates)),
      read('GET', `/inventory/api/v1/inventory/availability?${nights}`, null),
    ])
  }
  return await serveCalls((request) => call(queryOf(request)))
}

serveCommands({ start })
