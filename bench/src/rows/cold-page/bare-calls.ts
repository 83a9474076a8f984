import { json } from 'node:stream/consumers'
import { Pool } from 'undici'
import { serveCalls } from '../../harness/serve-calls.ts'
import { serveCommands } from '../../harness/serve-commands.ts'
import type { Query } from '../search/queries.ts'
import type { SearchEnvironment } from '../search/search-environment.ts'

interface Start extends Pick<SearchEnvironment, 'upstreams' | 'secret'> {
  readonly withBrands?: boolean
}

interface Listings {
  readonly items: readonly { readonly propertyId: string; readonly tenantId: string }[]
}

/** The floor: the calls and parsing. Nothing is composed, validated or cached. */
async function start({ upstreams, secret, withBrands = true }: Start): Promise<number> {
  const pool = new Pool(new URL(upstreams.search).origin, { connections: 64 })
  const headers = {
    authorization: `Bearer ${secret}`,
    'x-calling-service': 'bare-calls',
    'content-type': 'application/json',
  }
  const call = async (base: string, path: string, body: unknown): Promise<unknown> => {
    const response = await pool.request({
      method: 'POST',
      path: new URL(base).pathname + path,
      headers,
      body: JSON.stringify(body),
    })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
  const loadPage = async (query: Query) => {
    const { dates: stay, occupancy, currency, pageSize: limit, geo, filters, sortKey } = query
    const request = { geo, stay, occupancy, filters, sortKey, limit, currency }
    const found = (await call(upstreams.search, '/api/v1/search/queries', request)) as Listings
    const propertyIds = found.items.map((each) => each.propertyId)
    const tenantIds = [...new Set(found.items.map((each) => each.tenantId))]
    const preview = { propertyIds, stay, occupancy, currency }
    await Promise.all([
      call(upstreams.pricing, '/api/v1/pricing/quotes/preview', preview),
      withBrands && call(upstreams.theme, '/api/v1/themes/peeks', { tenantIds }),
    ])
  }
  return await serveCalls(async (request) => loadPage((await json(request)) as Query))
}

serveCommands({ start })
