import { freePort } from './free-port.ts'
import { MachineError } from './machine-error.ts'
import { sendSignal, waitForExit } from './process-state.ts'

export interface Instance {
  readonly host: '127.0.0.1'
  readonly port: number
  readonly pid: number
  readonly url: string
  /** Where the data is while the server runs: see `prepareServerFolder`. */
  readonly dataDir: string
  /** True when the server was already running. */
  readonly reused: boolean
  /** Stops the server gracefully; a second call does nothing. */
  stop(): Promise<void>
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same port and data, whether it runs or not. */
  restart(): Promise<void>
}

export interface ServerKind {
  readonly name: string
  readonly dataDir: string
  readonly stopSignal: NodeJS.Signals
  readonly url: (port: number) => string
  readonly launch: (port: number) => Promise<number>
  /** Called once the server has stopped, or could not be started. */
  readonly release: () => void
}

export interface RunningServer {
  readonly pid: number
  readonly port: number
  readonly reused: boolean
}

const stopTimeoutMs = 15_000
const freePortAttempts = 5

export async function launchOnPort(kind: ServerKind, wantedPort: number): Promise<RunningServer> {
  try {
    return await launchOnFreePort(kind, wantedPort)
  } catch (error) {
    kind.release()
    throw error
  }
}

/** Another program may take a free port before the server does: then choose another. */
async function launchOnFreePort(kind: ServerKind, wantedPort: number): Promise<RunningServer> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wantedPort === 0 ? await freePort() : wantedPort
    try {
      return { pid: await kind.launch(port), port, reused: false }
    } catch (error) {
      const taken = error instanceof MachineError && error.code === 'PORT_BUSY'
      if (!taken || wantedPort !== 0 || attempt === freePortAttempts) throw error
    }
  }
}

export function createInstance(kind: ServerKind, running: RunningServer): Instance {
  let pid = running.pid
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    sendSignal(pid, signal)
    if (await waitForExit(pid, stopTimeoutMs)) return
    sendSignal(pid, 'SIGKILL')
    await waitForExit(pid, stopTimeoutMs)
  }
  return {
    host: '127.0.0.1',
    port: running.port,
    get pid() {
      return pid
    },
    url: kind.url(running.port),
    dataDir: kind.dataDir,
    reused: running.reused,
    stop: async () => {
      await end(kind.stopSignal)
      kind.release()
    },
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end(kind.stopSignal)
      pid = await kind.launch(running.port)
    },
  }
}
