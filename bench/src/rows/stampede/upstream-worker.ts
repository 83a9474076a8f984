import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveCommands } from '../../harness/serve-commands.ts'

const items = Array.from({ length: 300 }, (_, index) => ({
  id: `item-${index}`,
  name: `A quiet room above the garden, number ${index}, with breakfast and a view of the old town`,
  amountMinor: 12_500 + index,
}))
const body = Buffer.from(JSON.stringify({ items }))
let callsAtMs: number[] = []

/** Deliberately slow; counts its calls. */
async function start({ delayMs }: { delayMs: number }): Promise<string> {
  const server = createServer((_request, response) => {
    callsAtMs.push(Date.now())
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    }, delayMs)
  })
  await new Promise<void>((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, resolve),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function takeCalls(): number[] {
  const calls = callsAtMs
  callsAtMs = []
  return calls
}

serveCommands({ start, takeCalls })
