import Fastify from 'fastify'
import { collectedMemory } from '../src/harness/collected-memory.ts'
import { serveCommands } from '../src/harness/serve-commands.ts'

const open = new Set()
const EVENT = Buffer.from('event: arrivals\nid: 1\ndata: {"type":"reservation.confirmed"}\n\n')

/** As in the documentation of Fastify: a hijacked reply whose raw response is written. */
async function start() {
  const app = Fastify()
  app.get('/', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.raw.write(': open\n\n')
    open.add(reply.raw)
    reply.raw.once('close', () => open.delete(reply.raw))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

function broadcast() {
  for (const response of open) response.write(EVENT)
}

serveCommands({ start, broadcast, memory: collectedMemory })
