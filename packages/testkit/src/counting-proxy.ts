import { startForwardingProxy } from './forwarding-proxy.ts'

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
  let count = 0
  const proxy = await startForwardingProxy(targetUrl, (link) => {
    const counter = createCounter()
    const { client, server } = link
    client.on('data', (bytes: Buffer) => {
      count += counter(bytes)
    })
    client.pipe(server)
    server.pipe(client)
    return link
  })
  return {
    url: proxy.url,
    get count() {
      return count
    },
    reset() {
      count = 0
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
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
