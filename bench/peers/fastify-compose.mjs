import Fastify from 'fastify'
import { Pool } from 'undici'
import { answerCommands } from '../src/harness/answer-commands.ts'
import { composePage, peekBody, previewBody, searchBody, serviceHeaders } from './compose-page.mjs'

/** A gateway written by hand with good parts: Fastify, undici, three calls, one object. */
async function start({ upstreams, secret }) {
  const headers = serviceHeaders(secret)
  const pools = new Map()
  const call = async (base, path, body) => {
    const { origin, pathname } = new URL(base)
    const pool = pools.get(origin) ?? new Pool(origin, { connections: 64 })
    pools.set(origin, pool)
    const answer = await pool.request({
      method: 'POST',
      path: pathname + path,
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(2_000),
    })
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
    return answer.body.json()
  }
  const app = Fastify()
  app.post('/search', async ({ body: question }) => {
    const search = await call(upstreams.search, '/api/v1/search/queries', searchBody(question))
    const [previews, peeks] = await Promise.all([
      call(
        upstreams.pricing,
        '/api/v1/pricing/quotes/preview',
        previewBody(question, search.items),
      ),
      call(upstreams.theme, '/api/v1/themes/peeks', peekBody(search.items)),
    ])
    return composePage(search, previews, peeks)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

answerCommands({ start })
