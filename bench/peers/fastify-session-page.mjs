import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { serveCommands } from '../src/harness/serve-commands.ts'

const SESSION = JSON.stringify({ locale: 'en', currency: 'USD', createdAt: '2026-01-01' })
const BATCH = 1_000
const LIMIT = 100_000_000

/** Session, counter of a limit and page are in Redis; the page is parsed and serialized again. */
async function start({ redisUrl, body, query, path, cookies }) {
  const redis = new Redis(redisUrl)
  const page = `page:${JSON.stringify(JSON.parse(query))}`
  await redis.set(page, body)
  for (let at = 0; at < cookies.length; at += BATCH) {
    const batch = cookies.slice(at, at + BATCH).flatMap((cookie) => [`guest:${cookie}`, SESSION])
    await redis.mset(...batch)
  }
  const app = Fastify()
  app.addHook('onRequest', async (request, reply) => {
    const cookie = request.headers.cookie ?? ''
    const stored = await redis.get(`guest:${cookie}`)
    if (stored === null) return reply.code(401).send()
    request.session = JSON.parse(stored)
    const window = Math.floor(Date.now() / 60_000)
    const taken = await redis.incr(`limit:${cookie}:${window}`)
    if (taken === 1) await redis.expire(`limit:${cookie}:${window}`, 60)
    if (taken > LIMIT) return reply.code(429).send()
  })
  const key = (request) => `page:${JSON.stringify(request.body)}`
  app.post(path, async (request) => JSON.parse(await redis.get(key(request))))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
