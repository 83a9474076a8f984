import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import { Agent, request } from 'undici'
import type { PageReader, ReaderConfig, Report } from './page-reader.ts'

export interface SpawnedReader extends PageReader {
  readonly process: SpawnedProcess
  signal(signal: NodeJS.Signals): void
}

const agent = new Agent({ headersTimeout: 60_000, bodyTimeout: 60_000 })

/** The same reader in a separate process, which can be killed or suspended. */
export async function spawnReader(config: ReaderConfig): Promise<SpawnedReader> {
  const entry = new URL('./page-reader-process.ts', import.meta.url)
  const spawned = spawnProcess(entry, { args: [JSON.stringify(config)] })
  const line = await spawned.waitForLine(/^listening \d+/)
  const url = `http://127.0.0.1:${line.split(' ')[1]}/`
  return {
    process: spawned,
    async run(command) {
      const body = JSON.stringify(command)
      const response = await request(url, { method: 'POST', body, dispatcher: agent })
      return (await response.body.json()) as Report
    },
    signal: (signal) => void process.kill(spawned.pid, signal),
    [Symbol.asyncDispose]: () => spawned[Symbol.asyncDispose](),
  }
}
