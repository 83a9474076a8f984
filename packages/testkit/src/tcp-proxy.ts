import { connect, createServer, type Socket } from 'node:net'
import { listen, replaceHost } from './forwarding-proxy.ts'
import { isSwallowed, type ProxyMode, type Pump, startPump } from './proxy-pump.ts'

export interface TcpProxy extends AsyncDisposable {
  readonly host: '127.0.0.1'
  readonly port: number
  /** The URL of the target with the address of the proxy. */
  readonly url: string
  readonly openConnections: number
  readonly acceptedConnections: number
  /** Takes effect immediately, for open connections too. */
  setMode(mode: ProxyMode): Promise<void>
  /** Resets every open connection; new ones are accepted. */
  cut(): void
}

interface Connection {
  readonly sockets: readonly Socket[]
  readonly pumps: readonly Pump[]
}

/** A proxy between two programs that can delay, drop or reset traffic while they run. */
export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl)
  const connections = new Set<Connection>()
  let mode: ProxyMode = { kind: 'pass' }
  let accepted = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    accepted += 1
    if (mode.kind === 'reset') client.resetAndDestroy()
    else link(client, { target, mode: () => mode, connections })
  })
  const port = await listen(server, 0)
  const cut = () => connections.forEach(reset)
  const setMode = async (next: ProxyMode) => {
    mode = next
    if (next.kind === 'refuse' && server.listening) server.close()
    if (next.kind !== 'refuse' && !server.listening) await listen(server, port)
    if (next.kind === 'refuse' || next.kind === 'reset') cut()
    if (next.kind !== 'blackhole') [...connections].filter(hasLost).forEach(reset)
  }
  return {
    host: '127.0.0.1',
    port,
    url: replaceHost(target, port),
    get openConnections() {
      return connections.size
    },
    get acceptedConnections() {
      return accepted
    },
    setMode,
    cut,
    async [Symbol.asyncDispose]() {
      await setMode({ kind: 'refuse' })
    },
  }
}

interface Network {
  readonly target: URL
  readonly mode: () => ProxyMode
  readonly connections: Set<Connection>
}

function link(client: Socket, network: Network): void {
  const upstream = connect({
    host: network.target.hostname,
    port: Number(network.target.port),
    allowHalfOpen: true,
  })
  client.setNoDelay(true)
  upstream.setNoDelay(true)
  const pumps = [
    startPump(client, upstream, { direction: 'requests', mode: network.mode }),
    startPump(upstream, client, { direction: 'responses', mode: network.mode }),
  ]
  const connection = { sockets: [client, upstream], pumps }
  network.connections.add(connection)
  client.on('error', () => undefined)
  upstream.on('error', () => undefined)
  client.on('close', (failed) => passOn('requests', failed))
  upstream.on('close', (failed) => passOn('responses', failed))

  /** A black hole also drops the end of a connection, which leaves the other half open. */
  const passOn = (direction: 'requests' | 'responses', failed: boolean) => {
    const other = direction === 'requests' ? upstream : client
    if (other.destroyed) network.connections.delete(connection)
    else if (failed && !isSwallowed(network.mode(), direction)) other.resetAndDestroy()
  }
}

function hasLost(connection: Connection): boolean {
  const torn = connection.sockets.some((socket) => socket.destroyed)
  return torn || connection.pumps.some((pump) => pump.hasLost)
}

function reset(connection: Connection): void {
  for (const socket of connection.sockets) socket.resetAndDestroy()
}
