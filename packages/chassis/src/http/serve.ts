import type { AddressInfo } from 'node:net'
import type { StopPhase } from '../lifecycle/index.ts'
import type { App } from './build-app.ts'

export interface ServeOptions {
  port: number
  host: string
  /**
   * How long a draining instance goes on accepting, with `Connection: close` on every answer, so
   * that load balancers and clients leave on their own before the listener goes.
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

/** Closing waits for answers in flight; what is still open at the end is cut. */
async function stopServing(app: App, announceMs: number, signal: AbortSignal): Promise<void> {
  app.startDraining()
  await new Promise((resolve) => setTimeout(resolve, announceMs))
  signal.addEventListener('abort', () => app.server.closeAllConnections(), { once: true })
  await app.close()
}
