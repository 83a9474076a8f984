import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { answerCommands } from '../src/harness/answer-commands.ts'

/** What most gateways do: read JSON from Redis, parse it, let the framework print it again. */
async function start({ redisUrl, body }) {
  const redis = new Redis(redisUrl)
  await redis.set('page:en:USD', body)
  const app = Fastify()
  app.get('/example/v1/page', async ({ query }) => {
    const text = await redis.get(`page:${query.locale}:${query.currency}`)
    return JSON.parse(text)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

answerCommands({ start })
