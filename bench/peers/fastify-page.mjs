import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { answerCommands } from '../src/harness/answer-commands.ts'

/** What most gateways do: read JSON from Redis, parse it, let the framework print it again. */
async function start({ redisUrl, body, question, path }) {
  const redis = new Redis(redisUrl)
  const keyOf = (asked) => `page:${JSON.stringify(asked)}`
  const read = async (asked) => JSON.parse(await redis.get(keyOf(asked)))
  await redis.set(keyOf(question === undefined ? path : JSON.parse(question)), body)
  const app = Fastify()
  const { pathname } = new URL(path, 'http://host')
  if (question === undefined) app.get(pathname, (request) => read(request.url))
  else app.post(pathname, (request) => read(request.body))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

answerCommands({ start })
