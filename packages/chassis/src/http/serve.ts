import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { StopPhase } from '../lifecycle/index.ts'
import type { App } from './build-app.ts'

export interface ServeOptions {
  port: number
  host: string
  /**
   * How long a draining instance still accepts requests, with `Connection: close` in each response,
   * so that load balancers and clients leave before the listener is closed.
   */
  announceMs?: number
}

export interface Serving {
  port: number
  url: string
  stopPhase: StopPhase
}

const ANNOUNCE_MS = 500
const STOP_TIMEOUT_MS = 6000
/** Time for a request whose first bytes have just arrived to be counted as in flight. */
const QUIET_POLLS = 3
const POLL_MS = 20

export async function serve(app: App, options: ServeOptions): Promise<Serving> {
  await app.listen({ port: options.port, host: options.host })
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    url: `http://${options.host}:${port}`,
    stopPhase: {
      name: 'http',
      timeoutMs: STOP_TIMEOUT_MS,
      run: (signal) => stopServing(app, options.announceMs ?? ANNOUNCE_MS, signal),
    },
  }
}

/**
 * Closing ends the connections that sit idle between requests. A connection that never sent a
 * request does not count as idle for Node, so the rest is closed once nothing is in flight.
 */
async function stopServing(app: App, announceMs: number, signal: AbortSignal): Promise<void> {
  app.traffic.draining = true
  await delay(announceMs)
  const closed = app.close()
  for (let quiet = 0; quiet < QUIET_POLLS && !signal.aborted; ) {
    await delay(POLL_MS)
    quiet = app.traffic.inFlight === 0 ? quiet + 1 : 0
  }
  app.server.closeAllConnections()
  await closed
}
