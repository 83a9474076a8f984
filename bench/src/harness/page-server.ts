import { isPeerProgram } from './peers.ts'
import type { BenchWorld } from './row.ts'
import { NotHere } from './run-part.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

/** A measured process that serves HTTP. */
export interface PageServer extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/**
 * A program whose command `start` returns its port.
 * @throws NotHere for an alternative that is not installed.
 */
export async function startPageServer(
  world: BenchWorld,
  program: URL,
  input: object = {},
): Promise<PageServer> {
  const worker = startProgram(world, program)
  const port = await worker.run('start', input)
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid: worker.pid,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}

/** @throws NotHere for an alternative that is not installed. */
export function startProgram(world: BenchWorld, program: URL, options: WorkerOptions = {}) {
  if (isPeerProgram(program) && !world.peersInstalled) {
    throw new NotHere('not installed; the full run installs it')
  }
  return startWorker(program, options)
}

/** A server of several alternatives, which ends with its row. */
export function kept<T extends PageServer>(server: T): () => Promise<T> {
  return async () => ({ ...server, [Symbol.asyncDispose]: async () => undefined })
}
