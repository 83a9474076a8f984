import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Forwards connections to a server and counts the requests that clients wait for. */
export interface CountingProxy extends AsyncDisposable {
  readonly url: string
  readonly count: number
  reset(): void
}

type Counter = (bytes: Buffer) => number

/** For Postgres: every Sync and every simple query is one round trip. */
export function countPostgresRoundTrips(targetUrl: string): Promise<CountingProxy> {
  return startCountingProxy(targetUrl, postgresCounter)
}

/** For Redis: every command, pipelined or not. */
export function countRedisCommands(targetUrl: string): Promise<CountingProxy> {
  return startCountingProxy(targetUrl, redisCounter)
}

async function startCountingProxy(
  targetUrl: string,
  createCounter: () => Counter,
): Promise<CountingProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((client) => {
    const counter = createCounter()
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => {
      count += counter(Buffer.from(bytes))
    })
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(address !== null && typeof address === 'object' ? address.port : 0)
  return {
    url: url.href,
    get count() {
      return count
    },
    reset() {
      count = 0
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const TYPE_BYTES = 1
const LENGTH_BYTES = 4

/** Frontend messages are a type and a length; only the first one, the start-up, has no type. */
function postgresCounter(): Counter {
  let rest: Buffer = Buffer.alloc(0)
  let hasStarted = false
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let found = 0
    for (;;) {
      const typeBytes = hasStarted ? TYPE_BYTES : 0
      if (rest.length < typeBytes + LENGTH_BYTES) return found
      const size = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < size) return found
      const type = hasStarted ? String.fromCharCode(rest[0] ?? 0) : ''
      if (type === 'S' || type === 'Q') found += 1
      hasStarted = true
      rest = rest.subarray(size)
    }
  }
}

/** A command is an array of bulk strings: `*2\r\n$3\r\nGET\r\n$1\r\nk\r\n`. */
function redisCounter(): Counter {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    let found = 0
    for (;;) {
      const size = commandSize(rest)
      if (size === null) return found
      found += 1
      rest = rest.subarray(size)
    }
  }
}

function commandSize(bytes: Buffer): number | null {
  const head = bytes.indexOf('\r\n')
  if (head === -1) return null
  let at = head + 2
  for (let left = Number(bytes.toString('latin1', 1, head)); left > 0; left -= 1) {
    const end = bytes.indexOf('\r\n', at)
    if (end === -1) return null
    at = end + 2 + Number(bytes.toString('latin1', at + 1, end)) + 2
    if (at > bytes.length) return null
  }
  return at
}
