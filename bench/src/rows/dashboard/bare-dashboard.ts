import { Pool } from 'undici'
import { serveCalls } from '../../harness/serve-calls.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import { serviceHeaders, type Upstreams } from '../booking/booking-environment.ts'
import type { DashboardCalls, DashboardHotel } from './dashboard-calls.ts'

interface Stays {
  readonly stays: readonly { readonly reservationId: string }[]
}

type Start = Upstreams & DashboardHotel & { readonly calls: DashboardCalls }

/** The floor: the calls of a dashboard or board, parsed; not composed, validated or cached. */
async function start({ url, secret, tenantId, calls }: Start): Promise<number> {
  const pool = new Pool(url, { connections: 64 })
  const headers = { ...serviceHeaders(secret), 'x-tenant-id': tenantId }
  const read = async (path: string): Promise<unknown> => {
    const response = await pool.request({ method: 'GET', path, headers })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return await response.body.json()
  }
  const { folios, departures, ...others } = calls
  const readFolios = async () => {
    if (departures === undefined) return
    const { stays } = (await read(departures)) as Stays
    await read(`${folios}${stays.map((stay) => stay.reservationId).join(',')}`)
  }
  return await serveCalls(() => Promise.all([readFolios(), ...Object.values(others).map(read)]))
}

serveCommands({ start })
