import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Command, createPageReader } from './page-reader.ts'

const reader = createPageReader(JSON.parse(process.argv[2] ?? '{}'))

async function readCommand(message: IncomingMessage): Promise<Command> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}

const server = createServer((message, response) => {
  void readCommand(message)
    .then((command) => reader.run(command))
    .then((report) => response.end(JSON.stringify(report)))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`listening ${port}\n`)
})
