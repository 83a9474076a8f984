import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { serveCommands } from '../src/harness/serve-commands.ts'

/** The common approach: read JSON from Redis, parse it, and serialize it again. */
async function start({ redisUrl, body, query, path }) {
  const redis = new Redis(redisUrl)
  const keyOf = (key) => `page:${JSON.stringify(key)}`
  const read = async (key) => JSON.parse(await redis.get(keyOf(key)))
  await redis.set(keyOf(query === undefined ? path : JSON.parse(query)), body)
  const app = Fastify()
  const { pathname } = new URL(path, 'http://host')
  if (query === undefined) app.get(pathname, (request) => read(request.url))
  else app.post(pathname, (request) => read(request.body))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
