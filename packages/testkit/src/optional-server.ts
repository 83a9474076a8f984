import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataRoot, type Instance, type ProgramOptions, startProgram } from '@melmastoon/one-machine'

export interface Unavailable {
  readonly available: false
  /** The reason why tests that need the server cannot run here. */
  readonly reason: string
}

export interface OptionalServer extends AsyncDisposable {
  readonly available: true
  readonly instance: Instance
}

/** Starts a server that may not be installed, in a folder that is deleted with it. */
export async function startOptionalServer(
  options: Omit<ProgramOptions, 'dataDir'>,
): Promise<OptionalServer> {
  const dataDir = join(dataRoot(), `test-${process.pid}`, randomUUID().slice(0, 8))
  const instance = await startProgram({ ...options, dataDir })
  return {
    available: true,
    instance,
    async [Symbol.asyncDispose]() {
      await instance.kill()
      rmSync(dataDir, { recursive: true, force: true })
      rmSync(instance.dataDir, { recursive: true, force: true })
    },
  }
}
