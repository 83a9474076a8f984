import Fastify from 'fastify'
import { Pool } from 'undici'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { composePage, peekBody, previewBody, searchBody, serviceHeaders } from './compose-page.mjs'

/** A hand-written gateway: Fastify, undici, three calls, one object. */
async function start({ upstreams, secret }) {
  const headers = serviceHeaders(secret)
  const pools = new Map()
  const call = async (base, path, body) => {
    const { origin, pathname } = new URL(base)
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 64 })
    pools.set(origin, pool)
    const response = await pool.request({
      method: 'POST',
      path: pathname + path,
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(2_000),
    })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
  const app = Fastify()
  app.post('/search', async ({ body: query }) => {
    const search = await call(upstreams.search, '/api/v1/search/queries', searchBody(query))
    const [previews, peeks] = await Promise.all([
      call(upstreams.pricing, '/api/v1/pricing/quotes/preview', previewBody(query, search.items)),
      call(upstreams.theme, '/api/v1/themes/peeks', peekBody(search.items)),
    ])
    return composePage(search, previews, peeks)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
