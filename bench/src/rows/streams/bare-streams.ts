import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectedMemory } from '../../harness/collected-memory.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

const open = new Set<ServerResponse>()
const EVENT = Buffer.from('event: arrivals\nid: 1\ndata: {"type":"reservation.confirmed"}\n\n')

/** The floor: open responses, and one buffer that is written to each. */
async function start(): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function broadcast(): void {
  for (const response of open) response.write(EVENT)
}

serveCommands({ start, broadcast, memory: collectedMemory })
